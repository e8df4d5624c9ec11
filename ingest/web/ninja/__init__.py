"""Django Ninja and Ninja Extra: APIs, routers, controllers, inputs, answers and pages."""
