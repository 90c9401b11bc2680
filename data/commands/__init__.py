"""Commands about what is asked: tasks are listed, files checked and made, tokenizers measured."""
