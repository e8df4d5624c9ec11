"""The rule of evidence: who is wrong, test or code, and which facts say so."""
