"""Commands of the people's side: studies are made and taken from elsewhere, people looked after and paid."""
