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
    GROUND: "body_background_fill",
    INK: (
        "body_text_color block_label_text_color block_title_text_color button_secondary_text_color "
        "checkbox_label_text_color checkbox_label_text_color_selected"
    ),
    QUIET: "body_text_color_subdued block_info_text_color input_placeholder_color",
    PAPER: (
        "background_fill_primary panel_background_fill input_background_fill input_background_fill_focus "
        "button_secondary_background_fill checkbox_background_color checkbox_label_background_fill "
        "checkbox_label_background_fill_selected"
    ),
    SOFT: (
        "background_fill_secondary color_accent_soft button_secondary_background_fill_hover "
        "checkbox_label_background_fill_hover"
    ),
    "transparent": "block_background_fill",
    "0px": "block_border_width",
    LINE: "border_color_primary checkbox_label_border_color",
    ACCENT: (
        "border_color_accent input_border_color_focus button_primary_background_fill "
        "checkbox_background_color_selected checkbox_border_color_selected slider_color loader_color"
    ),
    EDGE: "input_border_color button_secondary_border_color checkbox_border_color",
    DEEP: "button_primary_background_fill_hover",
    ON_ACCENT: "button_primary_text_color button_primary_text_color_hover",
}
"""The colours, each with the variables of Gradio that have it."""
SHAPES = {
    "0px": "block_padding",
    "10px": "block_radius input_radius button_large_radius",
    "none": "block_shadow input_shadow input_shadow_focus button_primary_shadow button_secondary_shadow",
    "400": "block_title_text_weight block_label_text_weight",
    "1px": "input_border_width",
    "18px": "layout_gap form_gap_width",
}


def theme() -> gr.themes.Base:
    """Return the theme: one accent, hairlines, no shadows, system fonts."""
    shapes, colours = (
        {name: value for value, names in table.items() for name in names.split()} for table in (SHAPES, COLOURS)
    )
    dark = {f"{name}_dark": value for name, value in colours.items()}
    base = gr.themes.Base(font=list(FONTS), font_mono=["ui-monospace", "monospace"], text_size="lg", radius_size="lg")
    return base.set(**colours, **dark, **shapes)
