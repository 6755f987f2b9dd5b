"""SQLite files as sections: fixed schemas in, a digest of the rows out.

A section's digest is over its rows in primary-key order, not over SQLite's file layout, so two
SQLite versions that lay out pages differently give one id. Readers open the file immutable and
close it: nothing opened before a fork is used after it.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import digest_rows
from mosaic_env.core.errors import CorruptError
from mosaic_env.snapshot.content import unfit


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
    """Write a new SQLite file with the given rows; the file must not exist yet.

    Raises: OSError when the disk is full or refuses.
    """
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
    except sqlite3.OperationalError as error:  # SQLite's own words for what the system says of files
        number = errno.ENOSPC if error.sqlite_errorcode == sqlite3.SQLITE_FULL else errno.EIO
        raise OSError(number, os.strerror(number), str(path)) from None
    finally:
        connection.close()


class TableFile:
    """An opened section file: the rows of the tables it must have, each checked for its types.

    Args:
        connection: A read-only connection whose schema was checked.
        path: The file.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._name = path.name
        self._size = path.stat().st_size

    def place(self, table: Table) -> str:
        """Return how errors call a table of this file."""
        return f"the section file {self._name}, table {table.name}"

    def rows(self, table: Table) -> Iterator[tuple[Any, ...]]:
        """Yield all rows in key order.

        Raises: CorruptError (ME-CORRUPT-04) for a value of another type than its column's, for keys
            out of order, and for more content than the file has bytes (pages that are read twice).
        """
        kinds = [_KINDS[kind] for _, kind in table.columns]
        left, before = self._size, None
        for number, row in enumerate(self._connection.execute(table.select()), start=1):
            if [type(value) for value in row] != kinds:
                raise unfit(f"{self.place(table)}, row {number}", "a value has another type than its column")
            key = row[: table.key]
            left -= 1 + sum(len(value) for value in row if type(value) is str)
            if left < 0 or (before is not None and key <= before):
                raise unfit(f"{self.place(table)}, row {number}", "rows are out of order or stand twice")
            before = key
            yield row

    def find(self, table: Table, key: str) -> tuple[Any, ...] | None:
        """Return the row with a key of one column, or None.

        Raises: CorruptError (ME-CORRUPT-04) for a value of another type than its column's.
        """
        columns = ", ".join(table.names)
        query = f"SELECT {columns} FROM {table.name} WHERE {table.names[0]} = ?"  # noqa: S608 - our schema
        row: tuple[Any, ...] | None = self._connection.execute(query, (key,)).fetchone()
        if row is not None and [type(value) for value in row] != [_KINDS[kind] for _, kind in table.columns]:
            raise unfit(f"{self.place(table)}, a row", "a value has another type than its column")
        return row


_KINDS: dict[str, type] = {"TEXT": str, "INTEGER": int}
#: The longest value and row that is read. Nothing this package writes comes near.
_MAX_VALUE = 2**28
_STEPS_AT_ONCE = 100_000


@contextlib.contextmanager
def open_tables(path: Path, tables: Sequence[Table]) -> Iterator[TableFile]:
    """Open an immutable SQLite file read-only; it must have exactly the given tables, and nothing else.

    Nothing of a foreign schema is run: no view, trigger, default or generated column.

    Raises: CorruptError (ME-CORRUPT-01) when the file is not the database it should be.
    """
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            _defend(connection, path.stat().st_size)
            _check_schema(connection, path, tables)
            yield TableFile(connection, path)
        finally:
            connection.close()
    except (sqlite3.Error, OSError) as error:
        # The error's own text may quote a value, and a value may be gold.
        reason = getattr(error, "sqlite_errorname", None) or type(error).__name__
        raise _not_the_database(path, f"cannot be read ({reason})") from None


def _defend(connection: sqlite3.Connection, size: int) -> None:
    """Limit what a damaged or hostile file can make SQLite do."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0)
    # Reading a row takes fewer steps than 16 a byte; pages that form a ring would be read for ever.
    steps = itertools.count(_STEPS_AT_ONCE, _STEPS_AT_ONCE)
    most = 16 * size + 10 * _STEPS_AT_ONCE
    connection.set_progress_handler(lambda: next(steps) > most, _STEPS_AT_ONCE)
    for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _check_schema(connection: sqlite3.Connection, path: Path, tables: Sequence[Table]) -> None:
    expected: set[tuple[str, str, str, str | None]] = {
        ("table", table.name, table.name, table.create()) for table in tables
    }
    expected |= {("index", f"sqlite_autoindex_{t.name}_1", t.name, None) for t in tables}
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?"
    found = connection.execute(query, (len(expected) + 1,)).fetchall()
    if len(found) != len(expected) or set(found) != expected:
        raise _not_the_database(path, "has other tables, views or triggers than its section")


def _not_the_database(path: Path, what: str) -> CorruptError:
    return CorruptError(
        "ME-CORRUPT-01",
        f"the section file {path.name} {what}",
        expected="the SQLite file the manifest names",
        fix="Restore the snapshot from a good copy",
    )


def tables_digest(path: Path, tables: Sequence[Table]) -> str:
    """Return the digest of all rows of the tables, in schema and key order."""

    def lines() -> Iterator[Any]:
        with open_tables(path, tables) as file:
            for table in tables:
                yield ["table", table.name, *table.names]
                for row in file.rows(table):
                    yield list(row)

    return digest_rows(lines())
