"""What is compared between the emulator and an H200: expressions of CUDA, by groups that share inputs and a result type."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tests.helpers.semantics_inputs import Array, inputs, within

TYPES = {
    "half": "__half", "bf16": "__nv_bfloat16", "fp8": "unsigned char", "float": "float", "double": "double", "int": "int",
    "uint": "unsigned", "ll": "long long", "ull": "unsigned long long", "short": "short",
}  # fmt: skip
HEADERS = {"half": "cuda_fp16.h", "bf": "cuda_bf16.h", "fp8": "cuda_fp8.h"}
FLOATING = {"half": np.float16, "float": np.float32, "double": np.float64}


@dataclass(frozen=True)
class Group:
    """Expressions of a, b, c over the same inputs. Results are compared bit for bit, a NaN with any NaN."""

    name: str
    takes: tuple[str, ...]
    gives: str
    expressions: tuple[str, ...]
    count: int = 3000
    near: bool = False
    options: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    """Where the documentation promises no bits: the largest difference allowed, in steps of the result (units in last place)."""
    between: tuple[tuple[float, float], ...] = ()
    """Inputs drawn from these ranges, one per expression, where steps are allowed."""
    seed: int = field(default=1)

    @property
    def exact(self) -> bool:
        """Whether the results must be equal bit for bit."""
        return not self.steps

    def arrays(self) -> list[Array]:
        """Return the inputs as unsigned words, one array per taken value (per expression and value for ranged groups)."""
        if self.between:
            return [
                np.concatenate(
                    [
                        within(*span, kind, self.count, self.seed + 7 * index + 101 * place)
                        for index, span in enumerate(self.between)
                    ]
                )
                for place, kind in enumerate(self.takes)
            ]
        if self.takes[0] in ("half", "bf16", "fp8") and len(self.takes) == 1:
            return [np.arange(256 if self.takes[0] == "fp8" else 65536, dtype="u1" if self.takes[0] == "fp8" else "u2")]
        return inputs(self.takes, self.count, self.seed, self.near)

    def source(self) -> str:
        """Return the CUDA source; its kernel is k(results, inputs..., count)."""
        parameters = "".join(f"const {TYPES[kind]}* p{index}, " for index, kind in enumerate(self.takes))
        loads = "".join(f"  const {TYPES[kind]} {'abc'[index]} = p{index}[at];\n" for index, kind in enumerate(self.takes))
        lines = "".join(self._line(index, expression) for index, expression in enumerate(self.expressions))
        signature = f'extern "C" __global__ void k({TYPES[self.gives]}* y, {parameters}int n)'
        body = f"  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n{lines}".replace("@", loads)
        named = "".join(f"#include <{header}>\n" for word, header in HEADERS.items() if word in signature + body)
        return f"{named}{signature} {{\n{body}}}\n"

    def _line(self, index: int, expression: str) -> str:
        at = f"{index} * n + i" if self.between else "i"
        return f"  {{ const int at = {at};\n@  y[{index} * n + i] = {expression}; }}\n"


_BINARY = ["__hadd", "__hsub", "__hmul", "__hdiv", "__hmin", "__hmax", "__hmin_nan", "__hmax_nan"]
_BINARY += [f"{name}_sat" for name in _BINARY[:3]]
_FUNCTIONS = ["hsqrt", "hrsqrt", "hrcp", "hexp", "hexp2", "hexp10", "hlog", "hlog2", "hlog10", "hsin", "hcos", "htanh"]
_PACKED = "absdiffs absdiffu add addss addus avgs avgu haddu maxs maxu mins minu sads sadu sub subss subus"


def _forms(*names: str, modes: str = "rn rz rd ru") -> tuple[str, ...]:
    return tuple(name.replace("~", mode) for name in names for mode in modes.split())


def _small(kind: str, short: str) -> list[Group]:
    """Conversions and arithmetic of half or bfloat16; `short` is the name inside CUDA's function names."""
    from_bits = f"__ushort_as_{short}"
    pair = f"__halves2{short}2"
    compare = [f"__h{test}{u}" for test in ("eq", "ne", "lt", "le", "gt", "ge") for u in ("", "u")]
    both = f"{pair}(a, b), {pair}(b, b)"
    halves = [("short", "short"), ("int", "int"), ("ll", "long long")]
    unsigned = [("ushort", "unsigned short"), ("uint", "unsigned"), ("ull", "unsigned long long")]
    return [
        Group(f"{kind} unary", (kind,), kind, ("__habs(a)", "__hneg(a)", "hfloor(a)", "hceil(a)", "hrint(a)", "htrunc(a)",
              f"{from_bits}(__hisnan(a) ? 1 : 0)", f"{from_bits}(__hisinf(a) + 1)")),
        Group(f"{kind} functions", (kind,), kind, tuple(f"{name}(a)" for name in _FUNCTIONS)),
        Group(f"{kind} binary", (kind, kind), kind, tuple(f"{name}(a, b)" for name in _BINARY), near=True),
        Group(f"{kind} fused", (kind, kind, kind), kind, ("__hfma(a, b, c)", "__hfma_sat(a, b, c)", "__hfma_relu(a, b, c)"),
              count=20000, near=True),
        Group(f"{kind} compare", (kind, kind), "uint", (
            " | ".join(f"{name}(a, b) << {index}" for index, name in enumerate(compare)),
            " | ".join(f"__hb{name[3:]}2({both}) << {index}" for index, name in enumerate(compare)),
            "(a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5",
            *(f"{name}2_mask({both})" for name in compare),
        )),
        Group(f"{kind} pairs", (kind, kind), kind, tuple(
            f"__{part}2{short}({name}2({both}))" for part in ("low", "high") for name in (*_BINARY[:3], "__hmax", *compare[:4])
        )),
        Group(f"{kind} to int", (kind,), "int", (
            *_forms(f"__{short}2int_~(a)", f"__{short}2short_~(a)", f"(int)__{short}2uint_~(a)", f"__{short}2ushort_~(a)"),
            f"__{short}2char_rz(a)", f"__{short}2uchar_rz(a)", "(int)a", "(short)a", "(unsigned char)a",
        )),
        Group(f"{kind} to long", (kind,), "ull", _forms(f"__{short}2ll_~(a)", f"__{short}2ull_~(a)")),
        Group(f"{kind} to float", (kind,), "float", (f"__{short}2float(a)",)),
        Group(f"{kind} from float", ("float",), kind, (*_forms(f"__float2{short}_~(a)"), f"__float2{short}(a)"), count=20000),
        Group(f"{kind} from double", ("double",), kind, (f"__double2{short}(a)",), count=20000),
        *(
            Group(f"{kind} from {name}", (taken,), kind, _forms(f"__{name}2{short}_~(({real})a)"), count=6000)
            for (name, real), taken in zip(halves + unsigned, ["uint", "uint", "ull"] * 2, strict=True)
        ),
    ]  # fmt: skip


def _fp8() -> list[Group]:
    both = [(form, kind) for form in ("__NV_NOSAT", "__NV_SATFINITE") for kind in ("__NV_E4M3", "__NV_E5M2")]
    made = [
        Group(f"fp8 from {kind}", (kind,), "fp8", (
            *(f"__nv_cvt_{name}_to_fp8(a, {form}, {to})" for form, to in both), "__nv_fp8_e4m3(a).__x", "__nv_fp8_e5m2(a).__x",
        ), count=20000)
        for kind, name in (("half", "halfraw"), ("bf16", "bfloat16raw"), ("float", "float"), ("double", "double"))
    ]  # fmt: skip
    to = tuple(
        f"{part}(__half2(__nv_cvt_fp8x2_to_halfraw2(a | a << 8, {kind})))"
        for part in ("__low2half", "__high2half")
        for _, kind in both[:2]
    )
    return [*made, Group("fp8 to half", ("fp8",), "half", (*to, "__half(__nv_cvt_fp8_to_halfraw(a, __NV_E4M3))"))]


def _integers() -> list[Group]:
    one = ("__popc(a)", "__clz(a)", "__ffs(a)", "__brev(a)")
    two = ("__mul24(a, b)", "__umul24(a, b)", "__mulhi(a, b)", "__umulhi(a, b)", "__hadd(a, b)", "__rhadd(a, b)", "__uhadd(a, b)",
           "__urhadd(a, b)", "min((int)a, (int)b)", "max(a, b)", "abs((int)a)")  # fmt: skip
    three = ("__sad(a, b, c)", "__usad(a, b, c)", "__byte_perm(a, b, c)", "__dp4a((int)a, (int)b, (int)c)", "__dp4a(a, b, c)",
             "__dp2a_lo((int)a, (int)b, (int)c)", "__dp2a_hi((int)a, (int)b, (int)c)", "__dp2a_lo(a, b, c)", "__dp2a_hi(a, b, c)",
             "__funnelshift_l(a, b, c)", "__funnelshift_r(a, b, c)", "__funnelshift_lc(a, b, c)", "__funnelshift_rc(a, b, c)",
             "__fns(a, b & 31, (int)(c % 65) - 32)")  # fmt: skip
    language = ("a << b", "a >> b", "(int)a >> b", "(int)a << b", "b ? a / b : 0xFFFFFFFFu", "a / b", "a % b", "(int)a / (int)b",
                "(int)a % (int)b", "a * b + c", "(unsigned char)a * (short)b")  # fmt: skip
    long = ("__popcll(a)", "__clzll(a)", "__ffsll(a)", "__brevll(a)", "__mul64hi(a, b)", "__umul64hi(a, b)", "a << b", "a >> b",
            "(long long)a >> b", "a / b", "a % b", "(long long)a / (long long)b",
            "(long long)a % (long long)b", "llmin(a, b)", "ullmax(a, b)")  # fmt: skip
    return [
        Group("int", ("uint", "uint", "uint"), "uint", (*one, *two, *three, *language)),
        Group("long", ("ull", "ull"), "ull", long),
    ]


def _packed() -> list[Group]:
    one = [f"__v{name}{n}(a)" for name in ("abs", "absss", "neg", "negss") for n in "24"]
    names = _PACKED.split()
    tests = ["eq", "ne", *(f"{test}{sign}" for test in ("ge", "gt", "le", "lt") for sign in "su")]
    two = [
        f"__v{name}{n}(a, b)" for name in (*names, *(f"{kind}{test}" for kind in ("cmp", "set") for test in tests)) for n in "24"
    ]
    kinds = ("s32", "u32", "s16x2", "u16x2")
    three = [f"__vi{name}_{kind}(a, b, c)" for name in ("max3", "min3", "addmax", "addmin") for kind in kinds]
    three += [f"__vi{name}_{kind}_relu(a, b, c)" for name in ("max3", "min3", "addmax", "addmin") for kind in ("s32", "s16x2")]
    three += [f"__vi{name}_{kind}_relu(a, b)" for name in ("max", "min") for kind in ("s32", "s16x2")]
    single = [
        f"[&] {{ bool p; const unsigned r = __vib{name}_{kind}(a, b, &p); return r ^ p; }}()"
        for name in ("max", "min")
        for kind in kinds[:2]
    ]
    double = [
        f"[&] {{ bool p, q; const unsigned r = __vib{name}_{kind}(a, b, &p, &q); return r ^ (p | q << 1); }}()"
        for name in ("max", "min")
        for kind in kinds[2:]
    ]
    return [
        Group("packed words", ("uint", "uint"), "uint", (*one, *two), count=2000),
        Group("dpx", ("uint", "uint", "uint"), "uint", (*three, *single, *double), count=2000),
    ]


def _floats() -> list[Group]:
    float_three = _forms(
        "__fadd_~(a, b)", "__fsub_~(a, b)", "__fmul_~(a, b)", "__fmaf_~(a, b, c)", "__fdiv_~(a, b)", "__frcp_~(a)", "__fsqrt_~(a)"
    )
    double_three = _forms(
        "__dadd_~(a, b)", "__dsub_~(a, b)", "__dmul_~(a, b)", "__fma_~(a, b, c)", "__ddiv_~(a, b)", "__drcp_~(a)", "__dsqrt_~(a)"
    )
    plain = ("a + b", "a - b", "a * b", "a / b", "sqrtf(a)", "fmaf(a, b, c)", "fminf(a, b)", "fmaxf(a, b)", "min(a, b)",
             "max(a, b)", "fabsf(a)", "floorf(a)", "ceilf(a)", "truncf(a)", "rintf(a)", "nearbyintf(a)", "roundf(a)",
             "copysignf(a, b)", "fdimf(a, b)", "fmodf(a, b)", "remainderf(a, b)", "nextafterf(a, b)", "ldexpf(a, 3)",
             "scalbnf(a, -140)", "__saturatef(a)", "logbf(a)", "__frsqrt_rn(a)")  # fmt: skip
    double = ("a + b", "a * b", "a / b", "sqrt(a)", "fma(a, b, c)", "fmin(a, b)", "fmax(a, b)", "floor(a)", "rint(a)", "round(a)",
              "fmod(a, b)", "remainder(a, b)", "nextafter(a, b)", "fdim(a, b)",
              "__hiloint2double(__double2hiint(a), __double2loint(b))")  # fmt: skip
    conditions = (
        "a < b",
        "a <= b",
        "a == b",
        "a != b",
        "isnan(a)",
        "isinf(a)",
        "isfinite(a)",
        "signbit(a)",
        "ilogbf(a)",
        "__float_as_int(a)",
    )
    return [
        *(Group(f"float rounded{' near' * near}", ("float",) * 3, "float", float_three, near=near) for near in (False, True)),
        *(
            Group(f"double rounded{' near' * near}", ("double",) * 3, "double", double_three, near=near, count=2000)
            for near in (False, True)
        ),
        *(Group(f"float{' near' * near}", ("float",) * 3, "float", plain, near=near) for near in (False, True)),
        Group("double", ("double",) * 3, "double", double, count=2000),
        Group("float conditions", ("float", "float"), "int", conditions),
    ]


def _conversions() -> list[Group]:
    narrow = (
        "(int)a",
        "(int)(unsigned)a",
        "(int)(unsigned char)a",
        "(int)(signed char)a",
        "(int)(short)a",
        "(int)(unsigned short)a",
    )
    return [
        Group("float to int", ("float",), "int", (*_forms("__float2int_~(a)", "(int)__float2uint_~(a)"), *narrow), count=8000),
        Group("float to long", ("float",), "ll", (*_forms("__float2ll_~(a)", "(long long)__float2ull_~(a)"), "(long long)a",
              "(long long)(unsigned long long)a", "lrintf(a)", "llrintf(a)", "lroundf(a)", "llroundf(a)"), count=8000),
        Group("double to int", ("double",), "int", (*_forms("__double2int_~(a)", "(int)__double2uint_~(a)"), *narrow),
              count=8000),
        Group("double to long", ("double",), "ll", (*_forms("__double2ll_~(a)", "(long long)__double2ull_~(a)"), "(long long)a",
              "(long long)(unsigned long long)a", "lrint(a)", "llround(a)"), count=8000),
        Group("int to float", ("uint",), "float", (*_forms("__int2float_~(a)", "__uint2float_~(a)"), "(float)a",
              "(float)(int)a"), count=8000),
        Group("long to float", ("ull",), "float", (*_forms("__ll2float_~(a)", "__ull2float_~(a)"), "(float)a"), count=8000),
        Group("int to double", ("uint",), "double", ("__int2double_rn(a)", "__uint2double_rn(a)")),
        Group("long to double", ("ull",), "double", (*_forms("__ll2double_~(a)", "__ull2double_~(a)"), "(double)a"), count=8000),
        Group("double to float", ("double",), "float", (*_forms("__double2float_~(a)"), "(float)a"), count=8000),
    ]  # fmt: skip


def _flushed() -> list[Group]:
    expressions = ("a + b", "a - b", "a * b", "fmaf(a, b, c)", "a / b", "sqrtf(a)", "a < b ? 1.0f : 2.0f", "__fmul_rn(a, b)")
    return [Group("flushed", ("float",) * 3, "float", expressions, options=("-ftz=true",))]


def exact() -> list[Group]:
    """Return the groups whose results are promised bit for bit."""
    return [
        *_small("half", "half"),
        *_small("bf16", "bfloat16"),
        *_fp8(),
        *_integers(),
        *_packed(),
        *_floats(),
        *_conversions(),
        *_flushed(),
    ]
