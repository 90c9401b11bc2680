"""RussianSuperGLUE: one file per task."""
