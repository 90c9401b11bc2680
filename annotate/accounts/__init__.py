"""Who may sign in: accounts, invitations of staff, passwords, the pages for them."""
