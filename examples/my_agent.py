"""An agent of your own: a class with two methods.

cd examples && mosaic eval --env InterLV-L1-v0 --agent my_agent:Careful --limit 10 --out runs/careful
"""

from typing import Any


class Careful:
    """Searches with the whole question once, then answers with the first result's name.

    Args:
        env: The environment: ``env.prompt()``, ``env.tool_schemas()``, ``env.render_prompt()``.
        seed: For whatever it draws.
    """

    def __init__(self, env: Any, seed: int = 0) -> None:
        self.env = env
        self.question = self.found = ""

    def begin(self, env: Any, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start an episode: the first observation holds the question."""
        self.question = observation["text"].splitlines()[0].removeprefix("Question: ")
        self.found = ""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Return the next action: text as a model writes it, or a tool call as a dict."""
        self.found = self.found or observation["text"].partition('"label":"')[2].partition('"')[0]
        if info["phase"] == "memory":
            return "- searched once"
        if info["interaction"] == 0:
            return {"name": "local_text_search", "arguments": {"query": self.question, "top_k": 1}}
        return f"<done>{self.found or 'unknown'}</done>"
