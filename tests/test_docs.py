"""The documentation is true: its programs run and print what it shows, its generated parts are current, its links lead somewhere.

`python -m tests.tools.write_docs` writes the outputs and the generated parts anew; read the difference.
"""

from __future__ import annotations

import inspect
import re

import pytest

import sourcediff as sd
from sourcediff.errors import CATALOGUE
from tests.tools import pages, write_docs

ROOT = pages.ROOT
PAGES = pages.pages()


def name_of(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_is_what_it_would_be_if_it_were_written_now(page):
    assert page.read_text(encoding="utf-8") == write_docs.current(page)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        if not path.startswith("http"):
            found = (page.parent / path).resolve() if path else page
            assert found.exists(), target
            assert not anchor or f'id="{anchor}"' in found.read_text(encoding="utf-8"), target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_says_what_it_is(page):
    kinds = {"python", "python raises", "python shown", "python output", "text", "text output", "console", "sh"}
    for language, role in re.findall(r"^```(\w+)(?: ([^\n]*))?$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        said = f"{language} {role}".rstrip()
        assert said in kinds or role.startswith("file="), said


def test_the_readme_mentions_every_transform():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in sd.__all__ if inspect.isfunction(getattr(sd, name)) and f"sd.{name}" not in text] == []


def test_the_two_commands_of_the_readme_are_lines_of_their_own():
    (first, second) = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert first == "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python examples/first_gradient.py\n"
    assert second.startswith("python3 -m venv .venv && ")
    assert second.endswith(".venv/bin/python -m pytest -q -n auto\n")


def test_codes_are_unique_anchors():
    codes = [message.code for message in CATALOGUE.values()]
    assert len(codes) == len(set(codes))


def test_an_output_that_is_not_true_is_found():
    page = "```python\nprint(1 + 1)\n```\n\n```text output\n3\n```\n"
    assert pages.executed(page) == page.replace("3", "2")


def test_an_error_that_does_not_come_is_found():
    with pytest.raises(AssertionError, match="no error was raised"):
        pages.executed("```python raises\n1 + 1\n```\n")


def test_public_functions_say_what_they_do_in_programs_that_run():
    import doctest

    from sourcediff import transforms

    assert doctest.testmod(transforms).failed == 0
