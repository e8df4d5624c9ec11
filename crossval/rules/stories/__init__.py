"""Rules about user stories: what they claim, how they word it, and what answers to them."""
