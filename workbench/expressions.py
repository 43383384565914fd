"""Safe arithmetic for sizes, grids and byte counts: integers, + - * / // % **, min, max, ceil, floor and the project's names."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from workbench.errors import WrongInput

MAX_VALUE = 2**63
MAX_LENGTH = 500
MAX_EXPONENT = 64


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise ValueError("an exponent must be a whole number of at most 64")
    return Fraction(base ** int(exponent))


_BINARY: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: Fraction(a // b),
    ast.Mod: lambda a, b: a % b,
    ast.Pow: _power,
}
_FUNCTIONS: Mapping[str, Callable[..., Fraction]] = {
    "ceil": lambda a: Fraction(math.ceil(a)),
    "floor": lambda a: Fraction(math.floor(a)),
    "min": min,
    "max": max,
}


def _value(node: ast.expr, names: Mapping[str, int]) -> Fraction:
    match node:
        case ast.Constant(value=bool()):
            raise ValueError("true and false are not numbers")
        case ast.Constant(value=int() | float() as number):
            return Fraction(number)
        case ast.Name(id=name) if name in names:
            return Fraction(names[name])
        case ast.Name(id=name):
            raise ValueError(f"{name} is not one of the sizes ({', '.join(sorted(names)) or 'none are declared'})")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _BINARY:
            result = _BINARY[type(operator)](_value(left, names), _value(right, names))
            if abs(result) > MAX_VALUE:
                raise ValueError("the value is larger than 2**63")
            return result
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS and arguments:
            return _FUNCTIONS[name](*(_value(argument, names) for argument in arguments))
    raise ValueError("only numbers, sizes, + - * / // % **, ceil, floor, min and max may be used")


def evaluate(expression: str | int | float, names: Mapping[str, int]) -> Fraction:
    """Return the exact value of `expression` over the integer sizes in `names`.

    Raises WrongInput with the expression and the reason.
    """
    if isinstance(expression, int | float):
        return Fraction(expression)
    try:
        if len(expression) > MAX_LENGTH:
            raise ValueError("it is longer than 500 characters")
        return _value(ast.parse(expression.strip(), mode="eval").body, names)
    except SyntaxError:
        reason = "it is not an arithmetic expression"
    except ZeroDivisionError:
        reason = "it divides by zero"
    except (ValueError, TypeError, OverflowError, RecursionError, MemoryError) as error:
        reason = str(error)
    raise WrongInput("The expression “{expression}” cannot be computed: {reason}.", expression=expression, reason=reason)


def evaluate_whole(expression: str | int | float, names: Mapping[str, int]) -> int:
    """Return the value of `expression` as an integer. Raises WrongInput when it is not whole."""
    value = evaluate(expression, names)
    if value.denominator != 1:
        raise WrongInput(
            "The expression “{expression}” gives {value}, but a whole number is needed; write ceil(…) or floor(…) around it.",
            expression=str(expression),
            value=f"{float(value):g}",
        )
    return int(value)
