"""The command line: one file per command, each loaded only when it is called.

A command's file is `symattn/cli/NAME.py` and holds a click command named `command`. It writes its
document to stdout and anything else to stderr, and returns the exit status of the contract:
0 all holds, 1 something is false, 2 unusable input (raise `InputError`), 3 something is undecided.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from symattn import __version__
from symattn.errors import SymattnError

__all__ = ["cli", "main"]

#: Command -> its line in `symattn --help`; kept here so that help loads no command.
COMMANDS: dict[str, str] = {
    "derive": "The solution of a problem or the proof of a theorem, step by step.",
    "verify": "Whether an answer is right, to which digits, and which mistake made it.",
    "check": "The property suite on an implementation of attention.",
    "prove": "The theorems, derived and checked again from their certificates.",
    "list": "The theorems, problems and mistakes that are known.",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of `COMMANDS`."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command called `name`, imported now."""
        if name not in COMMANDS:
            return None
        command = importlib.import_module(f"symattn.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="symattn %(version)s")
def cli() -> None:
    """The exact companion to the attention mechanism.

    Derives the theorems of attention and solves problems on your own numbers, exact and as decimals
    that are proved correctly rounded; says whether an answer is right, to which digits, and which
    mistake made it; and puts any implementation of attention under check.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with the status of the contract."""
    try:
        status = cli.main(args=arguments, prog_name="symattn", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        fail(usage_line(error))
    except SymattnError as error:
        fail(str(error))
    except click.Abort:
        fail("interrupted", status=130)
    except BrokenPipeError:
        # The reader of the pipe has gone (`symattn ... | head`): nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)


def usage_line(error: click.ClickException) -> str:
    """What click complains of, in one line that says where help is."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    return f"{message} (see '{context.command_path} --help')" if context else message


def fail(message: str, status: int = 2) -> None:
    """One line on stderr, then exit."""
    click.echo(f"symattn: {' '.join(message.split())}", err=True)
    sys.exit(status)
