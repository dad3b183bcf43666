"""The parts of `inline`: values, spelling, statements, calls, loops, merging, structures."""
