"""Rules about operations: parameters, bodies, responses, security."""
