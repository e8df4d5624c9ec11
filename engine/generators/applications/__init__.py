"""The application that tests call: where it is found, what makes it, its credentials, and the conftest of the tests."""
