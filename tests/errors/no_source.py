import sourcediff as sd

namespace = {}
exec("def loss(w):\n    return w * w\n", namespace)


def run():
    sd.grad(namespace["loss"]).source
