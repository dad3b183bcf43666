import sourcediff as sd


def loss(params):
    return params["w"]


def run():
    sd.grad(loss, wrt="params['w']")
