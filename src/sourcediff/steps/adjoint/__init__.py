"""The parts of `reverse`: what one statement hands back, the state of cotangents, what is needed, the way there, the way back."""
