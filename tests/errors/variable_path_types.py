import sourcediff as sd


def loss(params, x):
    return params["w"] * x


def run():
    sd.grad(loss, wrt="params['w']").source
