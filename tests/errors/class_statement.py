import sourcediff as sd


def loss(w):
    class Square:
        def __call__(self, v):
            return v * v

    return Square()(w)


def run():
    sd.grad(loss).source
