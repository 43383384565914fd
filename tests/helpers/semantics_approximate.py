"""Cases without promised bits: the documentation's bound for the GPU, and one step more for the emulator's own error.

Bounds: CUDA C++ Programming Guide, mathematical functions appendix. Where it bounds the absolute error (near a zero of the
function) 3 is added to the result, so that one step is 2^-22. `__powf` and `__tanf` are promised only through the functions
they are made of; their bounds here follow from those. Nothing is promised for UNPROMISED; what they are held to is our choice.
"""

from __future__ import annotations

from tests.helpers.semantics_cases import Group

Ranged = tuple[str, int, tuple[float, float]]

_FLOAT: tuple[Ranged, ...] = (
    ("rsqrtf(a)", 2, (1e-3, 1e6)), ("cbrtf(a)", 1, (-1e4, 1e4)), ("rcbrtf(a)", 1, (1e-3, 1e4)), ("expf(a)", 2, (-80, 80)),
    ("exp2f(a)", 2, (-120, 120)), ("exp10f(a)", 2, (-37, 37)), ("expm1f(a)", 1, (-5, 5)), ("logf(a)", 1, (1e-6, 1e6)),
    ("log2f(a)", 1, (1e-6, 1e6)), ("log10f(a)", 2, (1e-6, 1e6)), ("log1pf(a)", 1, (-0.9, 100)), ("sinf(a)", 2, (-1000, 1000)),
    ("cosf(a)", 2, (-1000, 1000)), ("tanf(a)", 4, (-100, 100)), ("sinpif(a)", 1, (-20, 20)), ("cospif(a)", 1, (-20, 20)),
    ("asinf(a)", 2, (-1, 1)), ("acosf(a)", 2, (-1, 1)), ("atanf(a)", 2, (-20, 20)), ("sinhf(a)", 3, (-10, 10)),
    ("coshf(a)", 2, (-10, 10)), ("tanhf(a)", 2, (-8, 8)), ("asinhf(a)", 3, (-100, 100)), ("acoshf(a)", 4, (1, 100)),
    ("atanhf(a)", 3, (-0.99, 0.99)), ("erff(a)", 2, (-4, 4)), ("erfcf(a)", 4, (-3, 9)), ("erfinvf(a)", 2, (-0.999, 0.999)),
    ("erfcinvf(a)", 4, (1e-6, 1.99)), ("erfcxf(a)", 4, (-5, 100)), ("normcdff(a)", 5, (-10, 5)),
    ("normcdfinvf(a)", 5, (1e-6, 0.9999)), ("tgammaf(a)", 5, (0.5, 30)), ("3 + lgammaf(a)", 6, (0.5, 100)),
    ("cyl_bessel_i0f(a)", 6, (-20, 20)), ("cyl_bessel_i1f(a)", 6, (0.1, 20)), ("3 + j0f(a)", 9, (0, 8)),
)  # fmt: skip
_FLOAT_TWO: tuple[Ranged, ...] = (
    ("hypotf(a, b)", 3, (-1e3, 1e3)), ("rhypotf(a, b)", 2, (1, 1e3)), ("atan2f(a, b)", 3, (-10, 10)),
    ("powf(a, b)", 4, (0.1, 12)),
    ("norm3df(a, b, a)", 3, (-1e3, 1e3)), ("rnorm3df(a, b, a)", 2, (1, 1e3)), ("norm4df(a, b, a, b)", 3, (-1e3, 1e3)),
    ("fdividef(a, b)", 2, (1, 1e4)), ("__fdividef(a, b)", 2, (1, 1e4)), ("__powf(a, b)", 24, (0.5, 4)),
)  # fmt: skip
_FAST: tuple[Ranged, ...] = (
    ("__expf(a)", 11, (-8, 8)), ("__exp10f(a)", 13, (-4, 4)), ("__logf(a)", 3, (2, 1e6)), ("3 + __logf(a)", 2, (0.5, 2)),
    ("__log2f(a)", 2, (2, 1e6)), ("3 + __log2f(a)", 1, (0.5, 2)), ("__log10f(a)", 3, (2, 1e6)),
    ("3 + __sinf(a)", 2, (-3.1415, 3.1415)),
    ("3 + __cosf(a)", 2, (-3.1415, 3.1415)), ("3 + __tanf(a)", 7, (-0.9, 0.9)), ("3.0f + __sinf(a)", 158, (100, 1000)),
)  # fmt: skip
_DOUBLE: tuple[Ranged, ...] = (
    ("rsqrt(a)", 1, (1e-3, 1e6)), ("cbrt(a)", 1, (-1e4, 1e4)), ("rcbrt(a)", 1, (1e-3, 1e4)), ("exp(a)", 1, (-700, 700)),
    ("exp2(a)", 1, (-1000, 1000)), ("exp10(a)", 1, (-300, 300)), ("expm1(a)", 1, (-5, 5)), ("log(a)", 1, (1e-6, 1e6)),
    ("log2(a)", 1, (1e-6, 1e6)), ("log10(a)", 1, (1e-6, 1e6)), ("log1p(a)", 1, (-0.9, 100)), ("sin(a)", 2, (-1000, 1000)),
    ("cos(a)", 2, (-1000, 1000)), ("tan(a)", 2, (-100, 100)), ("sinpi(a)", 2, (-20, 20)), ("cospi(a)", 2, (-20, 20)),
    ("asin(a)", 2, (-1, 1)), ("acos(a)", 2, (-1, 1)), ("atan(a)", 2, (-20, 20)), ("sinh(a)", 2, (-10, 10)),
    ("cosh(a)", 1, (-10, 10)),
    ("tanh(a)", 1, (-8, 8)), ("asinh(a)", 3, (-100, 100)), ("acosh(a)", 3, (1, 100)), ("atanh(a)", 2, (-0.99, 0.99)),
    ("erf(a)", 2, (-4, 4)), ("erfc(a)", 5, (-3, 20)), ("erfinv(a)", 5, (-0.999, 0.999)), ("erfcinv(a)", 6, (1e-6, 1.99)),
    ("erfcx(a)", 4, (-5, 100)), ("normcdf(a)", 5, (-4, 4)), ("normcdfinv(a)", 8, (1e-6, 0.9999)), ("tgamma(a)", 10, (0.5, 100)),
    ("3 + lgamma(a)", 4, (0.5, 100)), ("cyl_bessel_i0(a)", 6, (-20, 20)), ("cyl_bessel_i1(a)", 6, (0.1, 20)),
)  # fmt: skip
_DOUBLE_TWO: tuple[Ranged, ...] = (
    ("hypot(a, b)", 2, (-1e3, 1e3)), ("rhypot(a, b)", 1, (1, 1e3)), ("atan2(a, b)", 2, (-10, 10)), ("pow(a, b)", 2, (0.1, 12)),
    ("norm3d(a, b, a)", 3, (-1e3, 1e3)), ("rnorm3d(a, b, a)", 2, (1, 1e3)),
)  # fmt: skip
UNPROMISED = {
    "3.0f + __sinf(a)": "2^-14.7, the PTX ISA's bound up to 100 pi",
    "htanh_approx(a)": "the bound near 1, of every result",
}
"""Expressions whose results no document bounds in steps, with what they are held to."""


_OWN = 1
"""Steps by which the emulator's own results may be off."""


def _ranged(name: str, kind: str, takes: int, cases: tuple[Ranged, ...], options: tuple[str, ...] = ()) -> Group:
    expressions, steps, between = zip(*cases, strict=True)
    allowed = tuple(step + _OWN for step in steps)
    return Group(name, (kind,) * takes, kind, expressions, count=200, steps=allowed, between=between, options=options)


def approximate() -> list[Group]:
    """Return the groups compared within a number of steps."""
    fast = tuple((text.replace("__", ""), steps, span) for text, steps, span in _FAST[:8])
    return [
        _ranged("float functions", "float", 1, _FLOAT),
        _ranged("float functions of two", "float", 2, _FLOAT_TWO),
        _ranged("fast functions", "float", 1, _FAST),
        _ranged("fast math", "float", 1, (*fast, ("sqrtf(a)", 3, (1, 100)), ("1 / a", 1, (1, 100))), ("-use_fast_math",)),
        _ranged("double functions", "double", 1, _DOUBLE),
        _ranged("double functions of two", "double", 2, _DOUBLE_TWO),
        *(Group(f"{kind} tanh", (kind,), kind, ("htanh_approx(a)",), steps=(1,)) for kind in ("half", "bf16")),
    ]
