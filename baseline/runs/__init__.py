"""One run after another: what is sent to models, in which order, at what price, and what is kept of it."""
