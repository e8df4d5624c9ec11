"""Tests made from specs alone: red without code, green on the reference, red on its mutants?"""
