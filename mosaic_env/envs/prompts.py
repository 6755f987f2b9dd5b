"""The system prompt and the tool schemas, made from the configuration and the tools that exist.

Structure after the papers' prompts (tools, one tag for each kind of action, budgets, evidence before
answers); the words are ours. Version 1, frozen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from mosaic_env.core.errors import ConfigError, nearest
from mosaic_env.core.words import counted
from mosaic_env.envs.config import EnvConfig
from mosaic_env.tools.base import Tool

PROMPT_VERSION = 1
PromptFormat = Literal["interlv", "openai"]
FORMATS = ("interlv", "openai")

_INTRO = (
    "You answer a question by searching a closed knowledge base with words and pictures. Nothing you "
    "remember about the world is certain to hold there: look things up, look at pictures, and answer from "
    "what you found."
)
_HANDLES = (
    "Results name entities (e_1) and pictures (kb_1) by handles. A picture is shown once, at the line "
    "[image HANDLE]; use its handle to search with it, crop it or look at it again. Handles never change."
)
_TAGS = """\
Write what you think in <think>...</think>, then act with these tags, outside of it:
- <query>TEXT</query> searches by text; <query>{"query": "TEXT", "top_k": 5}</query> sets arguments.
- <tool name="NAME">{"argument": "value"}</tool> calls any tool below with JSON arguments.
- <code>PYTHON</code> runs a short program.
- <clip>{"image": "kb_1", "bbox": [0, 0, 500, 1000]}</clip> crops a picture.
- <done>ANSWER</done> gives the final answer and ends the episode."""
#: How an answer is given with native tool calls; a trainer that only sees calls says it otherwise.
NATIVE_ANSWER = "When you know the answer, write it as <done>ANSWER</done>: that ends it."
_NATIVE = f"Call the tools given to you. {NATIVE_ANSWER}"
_ANSWER = "The answer is short: a name, a colour, a number, a few words. Give one answer, not alternatives."


def check_format(name: str) -> None:
    """Refuse an unknown format.

    Raises: ConfigError (ME-CONFIG-02).
    """
    if name not in FORMATS:
        raise ConfigError(
            "ME-CONFIG-02", f"there is no prompt format {name!r}", expected="one of " + ", ".join(FORMATS),
            nearest=nearest(name, FORMATS),
        )  # fmt: skip


def system_prompt(config: EnvConfig, tools: Mapping[str, Tool], format: PromptFormat = "interlv") -> str:
    """Return the system prompt.

    Args:
        format: ``interlv`` describes tags and tools in the text; ``openai`` leaves tools to schemas.
    """
    check_format(format)
    parts = [_INTRO, _HANDLES]
    if format == "interlv":
        parts += [_tags(tools), _tool_list(tools)]
    else:
        parts.append(_NATIVE)
    parts += [_budget(config), _memory(config), _ANSWER]
    return "\n\n".join(part for part in parts if part)


def _tags(tools: Mapping[str, Tool]) -> str:
    """Return the tag list without the tags whose tool does not exist."""
    absent = {"<query>": "local_text_search", "<code>": "python_eval", "<clip>": "image_crop"}
    gone = [f"- {tag}" for tag, tool in absent.items() if tool not in tools]
    return "\n".join(line for line in _TAGS.splitlines() if not line.startswith(tuple(gone) or ("\0",)))


def _tool_list(tools: Mapping[str, Tool]) -> str:
    lines = ["Tools:"] if tools else ["There are no tools."]
    for name, tool in tools.items():
        fields = tool.Arguments.model_fields
        arguments = ", ".join(
            n if f.is_required() else f"{n}={json.dumps(f.default)}" for n, f in fields.items()
        )
        lines.append(f"- {name}({arguments}): {tool.description}")
    return "\n".join(lines)


def _budget(config: EnvConfig) -> str:
    if config.interactions is None:
        text = "There is no limit on interactions."
    else:
        text = (
            f"You have {counted(config.interactions, 'interaction')}; each message with actions is one, the "
            "answer too."
        )
    text += calls_of_a_message(config)
    if config.final_answer == "extra":
        text += " When the budget is spent you are asked once for the answer."
    return text


def calls_of_a_message(config: EnvConfig) -> str:
    """Return the sentence on how many calls of one message run, or an empty text."""
    if config.calls_per_interaction is None:
        return ""
    rest = "run in the next interactions" if config.overflow == "carry" else "are dropped"
    first = "call" if config.calls_per_interaction == 1 else f"{config.calls_per_interaction} calls"
    return f" The first {first} of a message {'runs' if first == 'call' else 'run'}; further ones {rest}."


def _memory(config: EnvConfig) -> str:
    if config.memory != "policy":
        return ""
    return (
        "After each interaction you are asked to rewrite your memory; older rounds are only known to you "
        f"through it. Keep it under {counted(config.memory_lines, 'line')}."
    )


def tool_schemas(tools: Mapping[str, Tool], format: PromptFormat = "openai") -> list[dict[str, Any]]:
    """Return the schemas of the tools.

    Args:
        format: ``openai`` wraps each as a function; ``interlv`` gives name, description and arguments.
    """
    check_format(format)
    plain = [
        {"name": name, "description": tool.description, "parameters": tool.schema()}
        for name, tool in tools.items()
    ]
    if format == "interlv":
        return plain
    return [{"type": "function", "function": entry} for entry in plain]
