"""Every kind of change that is told apart between two contracts, tried between one contract and its code."""
