import sourcediff as sd


def loss(w):
    parts = {}
    parts["square"] = w * w
    return parts["square"]


def run():
    sd.grad(loss).source
