"""Classes and declarations of data as JSON Schema: annotations, models, rows, and what libraries for checks demand."""
