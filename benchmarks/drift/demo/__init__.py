"""Ten disagreements planted once in a small application, and what crossfact and its peers find of them."""
