"""The cases that stories and pages ask for: what criteria and scenarios tell of requests, answers and things."""
