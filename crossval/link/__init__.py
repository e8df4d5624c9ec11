"""Aligners: which spec fact speaks of the same thing as which code fact."""
