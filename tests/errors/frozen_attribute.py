from dataclasses import dataclass

import sourcediff as sd


@dataclass(frozen=True)
class Model:
    w: float


def loss(w):
    model = Model(w)
    model.w = w * w
    return model.w


def run():
    sd.grad(loss).source
