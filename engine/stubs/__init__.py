"""Stub skeletons: facts of one module in, the text of its `.pyi` out."""
