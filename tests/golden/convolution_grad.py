"""sd.grad(convolution, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 2)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def convolution(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for a in range(kh):
                for b in range(kw):
                    out[i, j] += image[i + a, j + b] * kernel[a, b]
    return np.sum(np.maximum(out, 0.0) ** 2)

# The derivative

import numpy as np
from sourcediff.runtime import owned


def convolution_grad(image, kernel):
    t = image.shape  # h, w = image.shape
    h = t[0]
    w = t[1]
    t2 = kernel.shape  # kh, kw = kernel.shape
    kh = t2[0]
    kw = t2[1]
    out = np.zeros((h - kh + 1, w - kw + 1))
    t3 = out.shape[0]  # for i in range(out.shape[0]):
    for i in range(t3):
        for j in range(out.shape[1]):
            for a in range(kh):
                for b in range(kw):
                    out[i, j] += image[i + a, j + b] * kernel[a, b]
    t_bar = 2 * np.maximum(out, 0.0)  # return np.sum(np.maximum(out, 0.0) ** 2)
    out_bar = owned(np.where(out == 0.0, t_bar / 2, np.where(out > 0.0, t_bar, 0)), out)
    image_bar = np.zeros_like(image)
    kernel_bar = np.zeros_like(kernel)
    for i in reversed(range(t3)):
        for j in reversed(range(out.shape[1])):
            for a in reversed(range(kh)):
                for b in reversed(range(kw)):
                    t_bar2 = out_bar[i, j]  # out[i, j] += image[i + a, j + b] * kernel[a, b]
                    kernel_bar[a, b] += t_bar2 * image[i + a, j + b]
                    image_bar[i + a, j + b] += t_bar2 * kernel[a, b]
    return image_bar, kernel_bar
