"""Aligns the witnesses of the fact graph and reports where they disagree."""
