"""Arguments that may look like options: an answer such as `-0.5` or `-cosh(1)` needs no `--`."""

from __future__ import annotations

import re

import click

__all__ = ["AnswerCommand"]

_ATTACHED = re.compile(r"-[a-z][0-9]+")


class AnswerCommand(click.Command):
    """A command of which each word that is no option it knows is an argument."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the options before `--` and the answers after it, then let click read them."""
        names = {name: param for param in self.params for name in param.opts}
        flags = set(ctx.help_option_names)
        options: list[str] = []
        words: list[str] = []
        rest = iter(args)
        for arg in rest:
            option = names.get(arg)
            if arg == "--":
                words += rest
            elif isinstance(option, click.Option):
                options.append(arg)
                if not (option.is_flag or option.count):
                    options += [value for value in [next(rest, None)] if value is not None]
            elif arg in flags or arg.startswith("--") or self._attached(arg, names):
                options.append(arg)
            else:
                words.append(arg)
        return super().parse_args(ctx, [*options, "--", *words])

    @staticmethod
    def _attached(arg: str, names: dict[str, click.Parameter]) -> bool:
        """Whether a word is a short option with its number, `-j4`."""
        return arg[:2] in names and _ATTACHED.fullmatch(arg) is not None
