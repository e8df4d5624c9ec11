"""Measures how many planted differences between a contract and its application are found, and how many are not true."""
