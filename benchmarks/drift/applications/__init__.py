"""The frameworks whose applications the benchmark runs on, one file each."""
