"""Walking the knowledge graph (``corpus="closed"`` or ``graph=True``; not part of the papers' tools)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mosaic_env.core.types import ToolResult
from mosaic_env.index.text import words
from mosaic_env.snapshot.kb import Relation
from mosaic_env.tools.base import Tool, ToolArguments, ToolContext, ToolError, register_tool
from mosaic_env.tools.rows import clean, entity_row

_MAX_LISTED = 50


@register_tool
class LocalGraphNeighbors(Tool):
    """Entities one relation away from an entity, outgoing facts first."""

    name = "local_graph_neighbors"
    description = "List the facts about an entity: which entities it is related to, and how."

    class Arguments(ToolArguments):
        """An entity and, if wanted, a relation."""

        entity: str = Field(description="Handle of an entity (e_1) or of its picture (kb_1).")
        relation: str = Field("", description="Only facts with this relation, for example 'director'.")
        direction: Literal["both", "out", "in"] = Field(
            "both", description="out: facts about the entity; in: facts that name it; both."
        )
        limit: int = Field(20, description="How many facts, 1 to 50.")
        offset: int = Field(0, description="How many facts to skip.")

    def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return one row a fact."""
        row = context.handles.entity_row(arguments.entity)
        if row is None:
            raise ToolError(
                "unknown_handle",
                f"there is no entity {clean(arguments.entity)!r}",
                context.handles.nearest(arguments.entity, entities=True),
            )
        context.inputs.append(arguments.entity)
        kb = context.world.kb
        edges = [
            edge
            for edge in kb.edges.get(row, ())
            if arguments.direction == "both" or edge.inverse == (arguments.direction == "in")
        ]
        names = sorted({kb.relations[edge.relation].label for edge in edges})
        if arguments.relation:
            wanted = set(words(arguments.relation))
            edges = [edge for edge in edges if _named(kb.relations[edge.relation], wanted)]
            if not edges:
                context.warnings.append("no such relation here; there are: " + (", ".join(names) or "none"))
        limit = min(max(arguments.limit, 1), _MAX_LISTED)
        chosen = edges[max(arguments.offset, 0) :][:limit]
        facts = [
            {
                "relation": kb.relations[edge.relation].label,
                "direction": "in" if edge.inverse else "out",
                **entity_row(edge.row, context, 300),
            }
            for edge in chosen
        ]
        data = {"entity": context.handles.entity(row), "facts": facts, "total": len(edges)}
        return ToolResult(data, ranked=tuple(kb.keys[edge.row] for edge in chosen), modality="graph")


def _named(relation: Relation, wanted: set[str]) -> bool:
    """Tell whether the wanted words are a name of the relation, or a part of one."""
    return any(
        wanted and wanted <= set(words(name))
        for name in (relation.label, relation.inverse, *relation.aliases)
    )
