"""Running a short program in the sandbox: no files, no network, fixed clock and seed, counted steps.

Each call starts afresh: no variable, import or function of an earlier one exists.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from mosaic_env.core.errors import SandboxError
from mosaic_env.core.types import ToolResult
from mosaic_env.guard.sandbox import run_python
from mosaic_env.tools.base import Tool, ToolArguments, ToolContext, ToolError, register_tool


@register_tool
class PythonEval(Tool):
    """Output, value and variables of a program, of which nothing is kept; the same on every machine."""

    name = "python_eval"
    description = (
        "Run a short Python program (a subset of the language, no files, no network). Returns what it "
        "prints, the value of the last expression and the variables. Nothing is kept between calls."
    )
    determinism = "sandboxed"

    class Arguments(ToolArguments):
        """A program."""

        code: str = Field(description="Python code.")

    def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Run the code; what it printed is kept also when it fails.

        Raises: ToolError (``no_sandbox``): nothing weaker is ever used.
        """
        try:
            done = run_python(arguments.code)
        except SandboxError:
            raise ToolError(
                "no_sandbox", "there is no sandbox for programs here", "work without python_eval", by="env"
            ) from None
        data: dict[str, Any] = {"stdout": done.stdout}
        if done.error is not None:
            message = (
                f"{done.error.message} (printed before: {done.stdout[:400]!r})"
                if done.stdout
                else done.error.message
            )
            error = {"code": done.error.code, "message": message, "hint": "change the program"}
            return ToolResult(error=error, reproducible=done.reproducible)
        if done.value:
            data["value"] = done.value
        if done.variables:
            data["variables"] = dict(done.variables)
        return ToolResult(data, reproducible=done.reproducible)
