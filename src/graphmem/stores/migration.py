"""A migration is one numbered step towards the present schema of a store."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from graphmem.errors import StoreFormatError


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered step.

    Attributes:
        number: 1, 2, 3, ...
        name: the file's name.
        script: its statements.
    """

    number: int
    name: str
    script: str


def load_migrations(package: str) -> list[Migration]:
    """All steps in the folder `migrations` of a package, in order."""
    folder = resources.files(package) / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [
        Migration(
            number=int(name.partition("_")[0]),
            name=name,
            script=(folder / name).read_text(encoding="utf-8"),
        )
        for name in names
    ]


def require_all(done: int, migrations: list[Migration], database: str) -> None:
    """Refuse a database whose schema is not the present one.

    Raises:
        StoreFormatError: it is an older or a newer one.
    """
    refuse_newer(done, migrations, database)
    if done < len(migrations):
        raise StoreFormatError(
            f"{database} has an older schema ({done} of {len(migrations)} steps); "
            "open it once for writing to bring it up to date"
        )


def refuse_newer(done: int, migrations: list[Migration], database: str) -> None:
    """Leave a database alone to which more steps were applied than are known here.

    Raises:
        StoreFormatError: there were more.
    """
    if done > len(migrations):
        raise StoreFormatError(
            f"{database} was written by a newer graphmem (schema {done}, this one knows "
            f"{len(migrations)}); upgrade graphmem or restore an older backup"
        )
