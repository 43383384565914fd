#!/usr/bin/env bash
# Installs everything the workbench needs into .venv, beside this repository's pyproject.toml.
#
#   scripts/setup.sh run    what a user needs: window, models, offline compiler, CuPy where a CUDA driver is
#   scripts/setup.sh dev    the same and what the tests and checks need
#
# System packages are installed when this runs as root; otherwise the exact command is printed and the work goes on where
# it can. A second run does nothing, and needs no network, unless pyproject.toml, the extras or the folder changed.
# PYTHON=… chooses the Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode="${1:-run}"
case "$mode" in
run | dev) ;;
*)
    echo "scripts/setup.sh: '$mode' is unknown; run or dev was expected." >&2
    exit 2
    ;;
esac

say() { printf '== %s\n' "$*"; }

# A shared library that Qt loads, and the Debian or Ubuntu package that brings it. Offscreen needs the first six only.
libraries=(
    libglib-2.0.so.0:libglib2.0-0
    libGL.so.1:libgl1
    libEGL.so.1:libegl1
    libxkbcommon.so.0:libxkbcommon0
    libdbus-1.so.3:libdbus-1-3
    libfontconfig.so.1:libfontconfig1
    libxcb-cursor.so.0:libxcb-cursor0
    libxcb-icccm.so.4:libxcb-icccm4
    libxcb-keysyms.so.1:libxcb-keysyms1
    libxcb-xkb.so.1:libxcb-xkb1
    libxcb-shape.so.0:libxcb-shape0
    libxkbcommon-x11.so.0:libxkbcommon-x11-0
)

has_compiler() {
    command -v g++ >/dev/null || command -v clang++ >/dev/null
}

# A Python that has venv and is neither too old nor newer than the wheels.
is_suitable() {
    "$1" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}

# Debian's python3 has venv but not what puts pip into it; then uv or a pip outside can.
can_fill_venv() {
    "$1" -c 'import ensurepip' >/dev/null 2>&1 || command -v uv >/dev/null || "$1" -m pip --version >/dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14; do
        if command -v "$candidate" >/dev/null && is_suitable "$candidate" && can_fill_venv "$candidate"; then
            command -v "$candidate"
            return
        fi
        if [ "$candidate" = "${PYTHON:-}" ]; then
            return 1
        fi
    done
    return 1
}

missing_packages() {
    local known entry ldconfig
    ldconfig="$(command -v ldconfig || echo /sbin/ldconfig)"
    known="$("$ldconfig" -p 2>/dev/null || true)"
    for entry in "${libraries[@]}"; do
        if ! grep -qF "${entry%%:*} " <<<"$known"; then
            echo "${entry##*:}"
        fi
    done
    has_compiler || echo g++
    if [ -z "${PYTHON:-}" ] && ! find_python >/dev/null; then
        command -v python3 >/dev/null || echo python3
        echo python3-venv
    fi
}

apt_install() {
    local try
    for try in 1 2 3; do
        if apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; then
            return
        fi
        say "apt-get did not succeed (try $try of 3)"
        sleep $((5 * try))
    done
    return 1
}

install_system_packages() {
    local packages
    mapfile -t packages < <(missing_packages)
    if [ "${#packages[@]}" -eq 0 ]; then
        return
    fi
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        say "Installing system packages: ${packages[*]}"
        apt_install "${packages[@]}" || say "Some system packages could not be installed; going on without them."
    elif [ "${packages[*]}" = g++ ] && is_installed; then
        return    # ziglang serves
    elif command -v apt-get >/dev/null; then
        say "Some system packages are missing. An administrator can install them with:"
        say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]}"
        say "Going on without them."
    else
        say "Please install what these Debian packages bring: ${packages[*]}"
    fi
}

# CuPy for the CUDA driver that is there (CUDA 13 needs driver 580 or newer).
gpu_extra() {
    local driver
    driver="$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)"
    case "${driver%%.*}" in
    '' | *[!0-9]*) ;;
    *) if [ "${driver%%.*}" -ge 580 ]; then echo gpu-cuda13; else echo gpu-cuda12; fi ;;
    esac
}

choose_extras() {
    local extras=desktop,models,compile gpu
    gpu="$(gpu_extra)"
    [ -z "$gpu" ] || extras="$extras,$gpu"
    has_compiler || extras="$extras,cpu-compiler"
    [ "$1" = run ] || extras="$extras,dev"
    echo "$extras"
}

# What the file .venv/installed-MODE says after a finished installation. A moved folder breaks the scripts in .venv/bin,
# so the folder's path is part of it.
stamp_of() {
    printf '%s\n%s\n%s\n' "$(pwd)" "$(choose_extras "$1")" "$(cksum <pyproject.toml)"
}

has_stamp() {
    [ "$(cat ".venv/installed-$1" 2>/dev/null || true)" = "$(stamp_of "$1")" ]
}

# What `dev` installs serves `run` too.
is_installed() {
    { has_stamp "$mode" || has_stamp dev; } && .venv/bin/python -c 'import workbench' 2>/dev/null
}

make_venv() {
    local python
    python="$(find_python)" || {
        if [ -n "${PYTHON:-}" ]; then
            echo "PYTHON=$PYTHON is no Python 3.11 to 3.14 that can make a virtual environment; name another or leave it out." >&2
        else
            echo "No Python 3.11 to 3.14 that can make a virtual environment was found; install python3-venv (the command" \
                "is above), or name a Python with PYTHON=/path/to/python." >&2
        fi
        exit 1
    }
    say "Making .venv with $("$python" --version)"
    rm -rf .venv
    if "$python" -c 'import ensurepip' >/dev/null 2>&1; then
        "$python" -m venv .venv
    elif command -v uv >/dev/null; then
        uv venv --quiet --seed --python "$python" .venv
    else
        "$python" -m venv --without-pip .venv
        "$python" -m pip --python .venv/bin/python install --quiet pip
    fi
}

# uv is many times faster than pip; where it cannot be had, or cannot reach the packages, pip does it.
install_packages() {
    local what=".[$1]"
    export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
    .venv/bin/python -m uv --version >/dev/null 2>&1 || .venv/bin/python -m pip install --quiet uv || true
    if .venv/bin/python -m uv --version >/dev/null 2>&1 &&
        .venv/bin/python -m uv pip install --python .venv/bin/python --editable "$what"; then
        return
    fi
    say "Installing with pip"
    .venv/bin/python -m pip install --editable "$what"
}

install_system_packages
if is_installed; then
    exit 0
fi
extras="$(choose_extras "$mode")"
if ! .venv/bin/python -m pip --version >/dev/null 2>&1 || ! grep -qF "VIRTUAL_ENV=" .venv/bin/activate 2>/dev/null ||
    [ "$(cat .venv/folder 2>/dev/null || pwd)" != "$(pwd)" ]; then
    make_venv
fi
pwd >.venv/folder
say "Installing Python packages ($extras); the first time takes some minutes"
install_packages "$extras"
stamp_of "$mode" >".venv/installed-$mode"
say "Installed"
