"""The command line: `library add|search|list`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from library.catalogue import Catalogue, LibraryError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it succeeded, 1 when the library had to say no."""
    options = _parser().parse_args(arguments)
    catalogue = Catalogue.load(options.file) if options.file.exists() else Catalogue()
    try:
        if options.command == "add":
            item = catalogue.add(options.title, options.author)
            catalogue.save(options.file)
            print(f"{item.number}: {item.title}")
        elif options.command == "search":
            _show(catalogue.search(options.text))
        else:
            _show([catalogue.item(number) for number in options.numbers] or list(catalogue))
    except LibraryError as error:
        print(error.args[0], file=sys.stderr)
        return 1
    return 0


def _show(items: list) -> None:
    for item in items:
        print(f"{item.number}: {item.title} ({item.author})")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="library", description=__doc__)
    parser.add_argument("--file", type=Path, default=Path("catalogue.json"))
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add")
    add.add_argument("title")
    add.add_argument("author")
    search = commands.add_parser("search")
    search.add_argument("text")
    show = commands.add_parser("list")
    show.add_argument("numbers", nargs="*", type=int)
    return parser


if __name__ == "__main__":
    sys.exit(main())
