"""People answer: the worker's way, imports of logs, the requesters' pages."""
