"""SQLite files as sections: fixed schemas in, a digest of the rows out.

A section's digest is over its rows in primary-key order, not over SQLite's file layout, so two
SQLite versions that lay out pages differently give one id. Readers open the file immutable and
close it: nothing opened before a fork is used after it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import digest_rows
from mosaic_env.core.errors import CorruptError


@dataclass(frozen=True)
class Table:
    """A table: its columns with types, and how many of the first ones form the key."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(name for name, _ in self.columns)

    def create(self) -> str:
        """Return the CREATE TABLE statement."""
        columns = ", ".join(f"{name} {kind} NOT NULL" for name, kind in self.columns)
        return f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.names[: self.key])}))"

    def select(self) -> str:
        """Return the SELECT of all rows in key order (byte order, whatever the locale)."""
        # Names come from the schemas of this package, never from data.
        columns, key = ", ".join(self.names), ", ".join(self.names[: self.key])
        return f"SELECT {columns} FROM {self.name} ORDER BY {key}"  # noqa: S608


Rows = Iterable[Sequence[Any]]


def write_tables(path: Path, tables: Sequence[Table], rows: Mapping[str, Rows]) -> None:
    """Write a new SQLite file with the given rows; the file must not exist yet."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # The file is private until it is renamed into place: no journal, no locks, no partial reads.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN")
        for table in tables:
            connection.execute(table.create())
            marks = ", ".join("?" for _ in table.columns)
            insert = f"INSERT INTO {table.name} VALUES ({marks})"  # noqa: S608 - a name of our schema
            connection.executemany(insert, rows.get(table.name, ()))
        connection.execute("COMMIT")
    finally:
        connection.close()


@contextlib.contextmanager
def open_tables(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection to an immutable SQLite file.

    Raises: CorruptError (ME-CORRUPT-01) when the file is not the database it should be.
    """
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            yield connection
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise CorruptError(
            "ME-CORRUPT-01",
            f"the section file {path.name} cannot be read ({error})",
            expected="the SQLite file the manifest names",
            fix="Restore the snapshot from a good copy",
        ) from None


def tables_digest(path: Path, tables: Sequence[Table]) -> str:
    """Return the digest of all rows of the tables, in schema and key order."""

    def lines() -> Iterator[Any]:
        with open_tables(path) as connection:
            for table in tables:
                yield ["table", table.name, *table.names]
                for row in connection.execute(table.select()):
                    yield list(row)

    return digest_rows(lines())
