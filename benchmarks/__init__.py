"""Side-by-side measurements of what is generated with what a person would write: `python -m benchmarks`."""
