"""The program as its source tells it: what names stand for across modules, what is called, and what functions say."""
