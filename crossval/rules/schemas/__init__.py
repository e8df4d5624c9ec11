"""Rules about schemas, wherever they are used: in parameters, bodies, responses and components."""
