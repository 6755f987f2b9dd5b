"""``mosaic demo``: one page that loads nothing and runs nothing, whatever stands in questions and results."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mosaic_env.agents.demo import Story, result_rows, show_demo, tell
from mosaic_env.agents.demo_page import write_page
from mosaic_env.cli import main
from mosaic_env.core.types import Observation, Step
from mosaic_env.guard.images import inspect
from tests.agents.conftest import Bundled

HOSTILE = [
    "</div></main></body><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'\"><svg onload=alert(1)>",
    "<!-- <style>*{}</style>",
    "&lt;b&gt; &amp;amp; ]]>",
    "javascript:alert(1) http://example.invalid/x.png",
    "[bold red]markup[/bold red] [link=http://x]",
    "\x1b[2J\x1b]0;title\x07 \x9b31m \u202e txet \u200b \ud800 \0",
    "{{7*7}} ${x} %s",
]


class Page(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.comments = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("img", "meta"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open[-1] if self._open else "", data))

    def handle_comment(self, data: str) -> None:
        self.comments += 1

    @property
    def text(self) -> str:
        """All text outside of the style."""
        return "".join(data for tag, data in self.texts if tag != "style")

    def texts_of(self, wanted: str) -> list[str]:
        """Return the texts directly inside a kind of element."""
        return [data for tag, data in self.texts if tag == wanted]


@pytest.fixture(scope="module")
def story(bundled: Bundled) -> Story:
    return tell()


def page_of(story: Story, folder: Path) -> tuple[str, Page]:
    path = folder / "demo.html"
    write_page(story, path)
    text = path.read_text("utf-8")
    return text, Page(text)


def hostile(story: Story, words: str) -> Story:
    """Return the story with hostile words wherever words come from a model, a task or a snapshot."""

    def infected(step: Step) -> Step:
        rows = [{"rank": 1, "label": words, "text": words, "image": words}]
        line = json.dumps(
            {"call": 1, "tool": words, "ok": True, "data": {"results": rows}}, separators=(",", ":")
        )
        seen = Observation(line, step.observation.shown)
        return dataclasses.replace(step, action=words, observation=seen)

    episode = dataclasses.replace(
        story.episode,
        task=dataclasses.replace(story.episode.task, key=words, question=words),
        steps=(
            *map(infected, story.episode.steps[:-1]),
            dataclasses.replace(infected(story.episode.steps[-1]), answer=words),
        ),
    )
    return dataclasses.replace(story, episode=episode, gold=words, hops=(words,) * len(story.hops))


def test_the_page_loads_nothing(story: Story, tmp_path: Path) -> None:
    text, page = page_of(story, tmp_path)
    assert "http://" not in text and "https://" not in text and "@import" not in text and "url(" not in text
    assert set(page.tags) <= {
        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "div", "pre", "table", "tr", "td",
        "figure", "img", "figcaption", "b", "code", "tbody",
    }  # fmt: skip
    names = {name for _, name, _ in page.attributes}
    assert names <= {"lang", "charset", "name", "content", "http-equiv", "class", "src", "alt"}
    sources = [value for _, name, value in page.attributes if name == "src"]
    assert sources and all(re.fullmatch(r"data:image/(png|jpeg|webp);base64,[\w+/]+=*", s) for s in sources)


def test_the_policy_allows_the_style_and_nothing_else(story: Story, tmp_path: Path) -> None:
    _, page = page_of(story, tmp_path)
    policies = [value for tag, name, value in page.attributes if (tag, name) == ("meta", "content")]
    policy = next(value for value in policies if "default-src" in value)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    style = "".join(page.texts_of("style"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert rules == {
        "default-src": "'none'", "img-src": "data:", "script-src": "'none'", "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'", "form-action": "'none'",
    }  # fmt: skip


def test_the_page_tells_the_whole_story(story: Story, tmp_path: Path) -> None:
    _, page = page_of(story, tmp_path)
    for part in (
        story.episode.task.question,
        story.gold,
        story.episode.digest,
        *(s.action for s in story.episode.steps),
    ):
        assert part in page.text  # fmt: skip
    assert f"{len(story.episode.steps)} interactions" in page.text and ": right, reward 1." in page.text
    shown = [*story.episode.first.shown, *(i for s in story.episode.steps for i in s.observation.shown)]
    images = [value for tag, name, value in page.attributes if (tag, name) == ("img", "src")]
    assert len(images) == len(shown)
    for source, item in zip(images, shown, strict=True):
        data = base64.b64decode(source.partition("base64,")[2])
        info = inspect(data)
        assert source.startswith(f"data:{info.media_type};") and info.width == item.picture.width
    assert page.texts_of("figcaption") == [item.handle for item in shown]


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: ascii(words)[:24])
def test_hostile_words_stay_words(story: Story, tmp_path: Path, words: str) -> None:
    """Public reports: results pages that embed model text raw (agentready, oracletrace, senrigan)."""
    text, page = page_of(hostile(story, words), tmp_path)
    _, harmless = page_of(hostile(story, "words"), tmp_path)
    assert page.tags == harmless.tags and page.comments == 0
    assert [a[:2] for a in page.attributes] == [a[:2] for a in harmless.attributes]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b\ud800]", text)
    if words.isprintable():
        assert page.text.casefold().count(words.casefold()) >= 4 + 4 * len(story.episode.steps)


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: ascii(words)[:24])
def test_hostile_words_do_nothing_to_a_terminal(
    story: Story, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mosaic_env.agents.demo.tell", lambda task: hostile(story, words))
    assert show_demo(None, None) == 0
    said = capsys.readouterr().out
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b\ud800]", said)
    flat = re.sub(r"[\s│─╭╮╰╯]+", "", said)
    if words.isprintable():  # markup and all
        assert re.sub(r"\s+", "", words) in flat


def test_a_wrong_answer_is_shown_as_wrong(story: Story, tmp_path: Path) -> None:
    last = dataclasses.replace(story.episode.steps[-1], verdict="no", answer=None, reward=0.0)
    episode = dataclasses.replace(story.episode, steps=(*story.episode.steps[:-1], last))
    _, page = page_of(dataclasses.replace(story, episode=episode), tmp_path)
    assert "Answer (none), gold " in page.text and ": wrong, reward 0." in page.text
    assert ("div", "class", "card end wrong") in page.attributes


def test_rows_come_from_results_and_facts_only(story: Story) -> None:
    first = story.episode.steps[0]
    assert result_rows(first)

    def seen(text: str) -> Step:
        return dataclasses.replace(first, observation=Observation(text))

    assert result_rows(seen('{"call":1,"ok":false,"error":{"code":"x"}}')) == []
    assert result_rows(seen('{"call":1,"ok":true,"data":{"images":[{"image":"kb_1"}]}}')) == []
    assert result_rows(seen('{"call":1,"ok":true,"data":{"facts":[{"label":"a"}]}}')) == [{"label": "a"}]
    assert result_rows(seen("[budget] x\n[image kb_1]")) == []


def test_the_story_says_what_each_step_is_for(story: Story) -> None:
    assert len(story.hops) == len(story.episode.steps) and story.episode.success
    assert story.hops[-1] == "reads the answer off the last picture" and all(story.hops)


def test_exit_codes_and_the_written_page(
    bundled: Bundled, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    assert main(["demo", "--html", str(path)]) == 0
    said = capsys.readouterr()
    assert "judged right" in said.out and said.err == "" and str(path.name) in said.out.replace("\n", "")
    assert Page(path.read_text("utf-8")).tags
    first = path.read_bytes()
    assert main(["demo", "--html", str(path)]) == 0 and path.read_bytes() == first  # to the byte
    assert main(["demo", "--task", "mosaic-l2/none"]) == 2
    assert "ME-TASK-01" in capsys.readouterr().err
    assert main(["demo", "--html", str(path / "page.html")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and "page.html" in error and "Traceback" not in error
