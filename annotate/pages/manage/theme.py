"""Gradio's components in the colours and shapes of the look, for the requesters' pages."""

import gradio as gr

FONTS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "Arial", "sans-serif")

# What stands in `data/drawing/static/look.css` decides, in the light and in the dark; the colour after it serves until
# that file is there.
GROUND, PAPER, SOFT = "var(--ground, #fbfaf7)", "var(--paper, #fff)", "var(--soft, #f4f2ec)"
LINE, EDGE = "var(--line, #dedbd3)", "var(--edge, #8b8d90)"
INK, QUIET = "var(--ink, #1c1e22)", "var(--quiet, #5b616b)"
ACCENT, DEEP, ON_ACCENT = "var(--accent, #0b62a8)", "var(--accent-deep, #084c83)", "var(--on-accent, #fff)"
COLOURS = {
    "body_background_fill": GROUND,
    "body_text_color": INK,
    "body_text_color_subdued": QUIET,
    "background_fill_primary": PAPER,
    "background_fill_secondary": SOFT,
    "block_background_fill": "transparent",
    "block_border_width": "0px",
    "block_label_text_color": INK,
    "block_title_text_color": INK,
    "block_info_text_color": QUIET,
    "border_color_primary": LINE,
    "border_color_accent": ACCENT,
    "color_accent_soft": SOFT,
    "panel_background_fill": PAPER,
    "input_background_fill": PAPER,
    "input_background_fill_focus": PAPER,
    "input_border_color": EDGE,
    "input_border_color_focus": ACCENT,
    "input_placeholder_color": QUIET,
    "button_primary_background_fill": ACCENT,
    "button_primary_background_fill_hover": DEEP,
    "button_primary_text_color": ON_ACCENT,
    "button_primary_text_color_hover": ON_ACCENT,
    "button_secondary_background_fill": PAPER,
    "button_secondary_background_fill_hover": SOFT,
    "button_secondary_border_color": EDGE,
    "button_secondary_text_color": INK,
    "checkbox_background_color": PAPER,
    "checkbox_background_color_selected": ACCENT,
    "checkbox_border_color": EDGE,
    "checkbox_border_color_selected": ACCENT,
    "checkbox_label_background_fill": PAPER,
    "checkbox_label_background_fill_hover": SOFT,
    "checkbox_label_background_fill_selected": PAPER,
    "checkbox_label_text_color": INK,
    "checkbox_label_text_color_selected": INK,
    "checkbox_label_border_color": LINE,
    "slider_color": ACCENT,
    "loader_color": ACCENT,
}
SHAPES = {
    "block_padding": "0px",
    "block_radius": "10px",
    "block_shadow": "none",
    "block_title_text_weight": "400",
    "block_label_text_weight": "400",
    "input_radius": "10px",
    "input_border_width": "1px",
    "input_shadow": "none",
    "input_shadow_focus": "none",
    "button_large_radius": "10px",
    "button_primary_shadow": "none",
    "button_secondary_shadow": "none",
    "layout_gap": "18px",
    "form_gap_width": "18px",
}


def theme() -> gr.themes.Base:
    """Return the theme: one accent, hairlines, no shadows, system fonts."""
    dark = {f"{name}_dark": value for name, value in COLOURS.items()}
    base = gr.themes.Base(font=list(FONTS), font_mono=["ui-monospace", "monospace"], text_size="lg", radius_size="lg")
    return base.set(**COLOURS, **dark, **SHAPES)
