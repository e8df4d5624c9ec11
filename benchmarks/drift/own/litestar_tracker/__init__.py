"""An issue tracker, on Litestar, made by a factory."""
