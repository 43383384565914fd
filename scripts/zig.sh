#!/usr/bin/env bash
# Runs the emulator's tests with the C++ compiler of the `ziglang` wheel, which serves a machine without g++ and clang++.
#
#   scripts/zig.sh [what pytest takes]      without arguments: every test of the emulator but those of `make full`
#
# The wheel (100 MB) goes into build/zig, so that .venv stays what `make setup-dev` made of it. CXX names its compiler: it comes
# before every other.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=.venv/bin/python
wheel="$PWD/build/zig"
if [ ! -x "$wheel/ziglang/zig" ]; then
    "$python" -m uv pip install --quiet --target "$wheel" ziglang 2>/dev/null ||
        "$python" -m pip install --quiet --disable-pip-version-check --target "$wheel" ziglang
fi
CXX="$("$python" -c 'import shlex, sys; print(shlex.quote(sys.argv[1]), "c++")' "$wheel/ziglang/zig")"
export CXX QT_QPA_PLATFORM=offscreen
if [ "$#" -eq 0 ]; then
    set -- tests/integration/emulator tests/unit/emulator tests/integration/test_demo_kernels.py
fi
exec "$python" -m pytest "$@"
