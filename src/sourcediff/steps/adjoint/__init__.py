"""The parts of `reverse`: contributions of one statement, the state of cotangents, the way there, the way back."""
