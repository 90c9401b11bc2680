"""What is asked: tasks, items, answers; imports nothing of ours."""
