"""`symattn list`: what there is to derive, to solve and to recognise."""

from __future__ import annotations

import click

from symattn.cli import options
from symattn.names import PROBLEMS, THEOREMS

__all__ = ["command"]


@click.command()
@options.json_option
def command(as_json: bool) -> int:
    """Print the theorems, the problems and the mistakes that are known, with one line each."""
    from symattn.grading.mistakes import known

    groups = {"theorems": THEOREMS, "problems": PROBLEMS, "mistakes": known()}
    if as_json:
        import json

        click.echo(json.dumps({"schema": "symattn.list/1", **groups}, ensure_ascii=False, indent=2))
        return 0
    width = max(len(name) for names in groups.values() for name in names)
    for title, names in groups.items():
        if names:
            click.echo(click.style(title.capitalize(), bold=True))
        for name, line in names.items():
            click.echo(f"  {name:<{width}}  {line}")
    return 0
