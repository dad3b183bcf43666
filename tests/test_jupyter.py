"""The view of a derivative in a notebook."""

from __future__ import annotations

import builtins
import html.parser

import pytest

import sourcediff as sd
from sourcediff.jupyter import highlighted
from tests.fakes import install


@pytest.fixture
def machine(monkeypatch):
    return install(monkeypatch)


def f(x):
    return x < 2


class Text(html.parser.HTMLParser):
    """The text of a page, and what it opens and closes."""

    def __init__(self, page):
        super().__init__()
        self.text, self.depth = "", 0
        self.feed(page)

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attrs):
        self.depth += 1

    def handle_endtag(self, tag):
        self.depth -= 1


@pytest.mark.parametrize("coloured", [True, False])
def test_both_sources_side_by_side(machine, monkeypatch, coloured):
    if coloured:
        pytest.importorskip("pygments")
    else:
        monkeypatch.setattr(builtins, "__import__", without_pygments(builtins.__import__))
    page = sd.grad(f)._repr_html_()
    shown = Text(page)
    assert "def f(x):\n    return x < 2" in shown.text
    assert "def f_grad(x):\n    return 2 * x" in shown.text
    assert shown.depth == 0
    assert ("color" in page) is coloured
    assert "<script" not in page
    assert "http" not in page


def without_pygments(real):
    def fake(name, *args, **kwargs):
        if name.startswith("pygments"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    return fake


def test_a_refusal_is_shown_in_place_of_the_source(machine, monkeypatch):
    def refuse(request):
        raise sd.errors.problem("yield")

    monkeypatch.setattr("sourcediff.steps.differentiate", refuse)
    assert "a value is yielded" in Text(sd.grad(f)._repr_html_()).text


def test_a_method_and_a_derivative_of_a_derivative(machine):
    class Model:
        def loss(self, x):
            return x

    assert "def loss(self, x)" in Text(sd.grad(Model().loss)._repr_html_()).text
    assert "def f_grad_grad" in Text(sd.grad(sd.grad(f))._repr_html_()).text


def test_text_is_escaped():
    assert "<b>" not in highlighted("'<b>'")
