"""The rules on workers at work: what each looks at after an answer, alone or beside the answers of others."""
