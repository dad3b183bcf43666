"""The passes of tidy, an idea a file; `steps/tidy.py` is the list of them."""
