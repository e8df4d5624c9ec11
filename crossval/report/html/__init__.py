"""The report as one HTML file that needs no network: the data, and the template that shows it."""
