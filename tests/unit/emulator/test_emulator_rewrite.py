"""The compiled copy, line for line, from a source that is already preprocessed."""

from __future__ import annotations

import pytest

from plugins.emulator.rewrite import Rewriter
from plugins.emulator.set_aside import divide
from plugins.emulator.syntax import items, parse


def rewritten(source: str, entry: str = "k") -> str:
    """Return the copy of a source."""
    device = divide(parse(source), entry, (), "kernel.cu")
    return Rewriter(device).render_file(device.kept, device.dropped)


def body(statement: str) -> str:
    """Return how one statement of a kernel is rewritten."""
    return rewritten(f"__global__ void k(int* y, float f, int n) {{ {statement} }}").split("{", 1)[1].rsplit("}", 1)[0].strip()


@pytest.mark.parametrize(
    ("statement", "copy"),
    [
        ("f(n / 4 % 8 << 2);", "f(n / 4 % 8 << 2);"),
        ("f(n / n % 3);", "f(ledger::div(n , n) % 3);"),
        ("f((n << n) >> 40);", "f(ledger::shr((ledger::shl(n , n)) , 40));"),
        ("f(n / 0);", "f(ledger::div(n , 0));"),
        ("f(f / 2.0f + 1e3 / f);", "f(f / 2.0f + ledger::div(1e3 , f));"),
        ("y[n] /= n;", "ledger::div_assign(y[n] , n);"),
        ("y[n] = f;", "y[n] = ledger::into<decltype(y[n])>(LEDGER_ITEM(f));"),
        ("y[n] = 3;", "y[n] = 3;"),
        ("unsigned char b = f * 255.f;", "unsigned char b = ledger::into<unsigned char>(f * 255.f);"),
        ("int a = n, *p = y, b[2] = {1, 2};", "int a = ledger::into<int>(LEDGER_ITEM(n)), *p = y, b[2] = {1, 2};"),
        ("f((int)f + (float)n);", "f(ledger::to<int>(LEDGER_ITEM(f)) + (float)n);"),
        ("f(static_cast<unsigned>(f));", "f(ledger::to<unsigned>(f));"),
        ("f(int(f), float(n));", "f(ledger::to<int>(f), float(n));"),
        ("__shared__ float s[8];", "__shared__ float s[8];"),
    ],
)  # fmt: skip
def test_only_what_differs_is_rewritten(statement: str, copy: str) -> None:
    assert body(statement) == copy


def test_dynamic_shared_memory_becomes_a_reference() -> None:
    copy = body("extern __shared__ __align__(16) float s[], t[][4];")
    assert copy == (
        "float (&s)[] = *reinterpret_cast<float (*)[]>(ledger_thread.dynamic_shared); "
        "float (&t)[][4] = *reinterpret_cast<float (*)[][4]>(ledger_thread.dynamic_shared);"
    )


def test_the_copy_has_the_lines_of_the_source() -> None:
    source = "\n\nint main() {\n  k<<<1, 1>>>();\n}\n__global__ void k(int* y) {\n  y[0] = y[1]\n    / y[2];\n}\n// end\n"
    copy = rewritten(source)
    assert copy.count("\n") == source.count("\n")
    assert copy.split("\n")[5].startswith("__global__ void k")
    assert "main" not in copy
    assert "<<<" not in copy


def test_wide_characters_before_code_do_not_move_it() -> None:
    copy = rewritten(
        '__device__ const char* name() { return "ядро カーネル"; }\n__global__ void k(int* y) { y[0] = y[1] / y[2]; }'
    )
    assert 'return "ядро カーネル";' in copy
    assert "ledger::div(y[1] , y[2])" in copy


def test_loops_of_a_kernel_that_waits_give_others_a_turn() -> None:
    copy = rewritten(
        "__global__ void k(volatile int* y) { while (*y == 0) ; do { y[1] = 2; } while (y[0]); for (;;) { break; } }"
    )
    assert copy.count("ledger_spin();") == 3
    assert "ledger_spin" not in rewritten("__global__ void k(int* y) { while (*y == 0) ; }")


def test_items_are_found_in_namespaces_templates_and_linkage_blocks() -> None:
    source = """
    namespace a { namespace b { template <class T> __global__ void one(T* y) { } } }
    extern "C" { __global__ void two(int* y) { } }
    extern "C" __global__ void __launch_bounds__(128, 2) three(int* y) { }
    __constant__ float w[3]; static const int N = 4; struct S { int x; }; using F = float; int host(int);
    """
    found = {item.full_name: (item.kind, sorted(item.qualifiers), item.is_template) for item in items(parse(source))}
    assert found["a::b::one"] == ("function", ["global"], True)
    assert found["two"] == ("function", ["global"], False)
    assert found["three"] == ("function", ["global"], False)
    assert found["w"] == ("variable", ["constant"], False)
    assert found["N"] == ("variable", [], False)
    assert found["S"][0] == found["F"][0] == "type"
    assert found["host"][0] == "prototype"
    assert [item.launch_bound for item in items(parse(source)) if item.name == "three"] == [128]


def test_only_what_device_code_names_is_kept() -> None:
    source = """
    struct Used { int x; }; struct Unused { std::vector<int> v; };
    constexpr int N = 3; const char* help = "text"; enum Mode { FAST = 1 };
    constexpr int twice(int x) { return 2 * x; }
    void print() { std::cout << help; }
    __device__ int used(Used u) { return u.x + N + FAST; }
    __global__ void k(int* y) { y[0] = used({twice(2)}); }
    """
    device = divide(parse(source), "k", (), "kernel.cu")
    assert {item.name for item in device.kept} == {"Used", "N", "Mode", "twice", "used", "k"}
    assert {item.name for item in device.dropped} == {"Unused", "help", "print"}
