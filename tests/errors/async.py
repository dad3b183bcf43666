import sourcediff as sd


async def loss(w):
    return w * w


def run():
    sd.grad(loss).source
