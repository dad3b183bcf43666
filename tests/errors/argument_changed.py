import sourcediff as sd


def doubled(params):
    params["w"] = 2.0 * params["w"]
    return params["w"] ** 2


def run():
    sd.grad(doubled)({"w": 3.0})
