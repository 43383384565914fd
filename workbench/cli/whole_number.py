"""An option that is a whole number within limits, refused in one sentence."""

from __future__ import annotations

from typing import Any

import click

from workbench.errors import WrongInput


class WholeNumber(click.IntRange):
    """A whole number from `least` to `most`, both included."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Raises WrongInput naming the option, its value and what was expected."""
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            raise WrongInput(
                "{option} is {value}; a whole number from {least} to {most} was expected.",
                option=param.opts[0] if param is not None else self.name,
                value=str(value),
                least=self.least,
                most=self.most,
            )
        return number
