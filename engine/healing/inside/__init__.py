"""What healing runs inside of a project's own interpreter."""
