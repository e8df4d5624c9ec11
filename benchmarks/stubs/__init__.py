"""The benchmark of stubs against code: real stub distributions, mutations of them, and a planted demo."""
