"""The device half of the standard headers that kernels include most: NVRTC has the functions built in but not the files."""

from __future__ import annotations

_EMPTY = "#pragma once\n"

_STDINT = """#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
"""
"""`long long` for 64 bits, as CCCL's own headers have it under NVRTC: a second typedef to `long` would be an error."""

_LIMITS = """#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LLONG_MIN (-9223372036854775807ll - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
"""

_FLOAT = """#pragma once
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-7f
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
"""


_INFINITY = """#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
"""
PRELUDE = "ledger_prelude.h"
"""Included before every source: what nvcc brings by its own first include and NVRTC has not."""

_STD_SIZES = "namespace std { using ::size_t; typedef decltype(nullptr) nullptr_t; typedef long long ptrdiff_t; }\n"
_STD_INTEGERS = "namespace std {" + "".join(f" using ::{u}int{n}_t;" for u in ("", "u") for n in (8, 16, 32, 64)) + " }\n"
_ASSERT = "#pragma once\n#ifndef assert\n#define assert(x) ((void)(0))\n#endif\n"


def standard_headers() -> dict[str, str]:
    """Return include name -> text, for NVRTC's `headers` and `includeNames`."""
    texts = {"stdint.h": _STDINT, "limits.h": _LIMITS, "float.h": _FLOAT, "assert.h": _ASSERT}
    texts |= dict.fromkeys(("math.h", "stdbool.h", "stddef.h", "stdio.h", "stdlib.h", "string.h"), _EMPTY)
    named = {"c" + name.removesuffix(".h"): text for name, text in texts.items()}
    named["cstddef"] += _STD_SIZES
    named["cstdint"] += _STD_INTEGERS
    return texts | named | {PRELUDE: _INFINITY}
