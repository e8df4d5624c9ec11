"""Report renderers, one per format."""
