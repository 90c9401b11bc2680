"""What it takes to ask a server behind a chat API: requests, connections, pace, and what failures mean."""
