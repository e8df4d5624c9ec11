"""What a handler answers, as JSON: returned values, rows, objects, and texts that are put together by hand."""
