# shellcheck shell=sh
# Sourced by the scripts beside it: a Python environment in .venv with graphmem in it.
#
#   prepare_env [GROUP ...]    e.g. `prepare_env test lint` for those dependency groups too
#
# sets PYTHON to the environment's interpreter. Installs only when pyproject.toml or the
# interpreter changed. Needs ROOT, the repository's directory.

_MINIMUM='(3, 11)'

_say() { printf '%s\n' "$*" >&2; }

_is_recent() { "$1" -c "import sys; sys.exit(sys.version_info < $_MINIMUM)" >/dev/null 2>&1; }

_find_python() {
    for _candidate in "${GRAPHMEM_PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11 python; do
        if _is_recent "$_candidate"; then
            printf '%s\n' "$_candidate"
            return
        fi
    done
    _say "graphmem needs Python 3.11 or newer, and found none."
    _say "Install one (https://www.python.org/downloads/, or: apt install python3 python3-venv),"
    _say "or name it: GRAPHMEM_PYTHON=/path/to/python3.12 $0"
    return 1
}

# Runs a command and shows what it printed only if it fails.
_quietly() {
    _log=$(mktemp)
    if "$@" >"$_log" 2>&1; then
        rm -f "$_log"
        return
    fi
    cat "$_log" >&2
    rm -f "$_log"
    return 1
}

_make_venv() {
    _base=$(_find_python) || return 1
    _say "making $ROOT/.venv with $("$_base" --version 2>&1)"
    if "$_base" -m venv --clear "$ROOT/.venv" >/dev/null 2>&1; then
        return
    fi
    # Debian and Ubuntu split ensurepip off: the system's pip then fills the environment.
    if "$_base" -m venv --clear --without-pip "$ROOT/.venv" &&
        _quietly "$_base" -m pip --python "$PYTHON" install -q pip; then
        return
    fi
    _say "can't make a virtual environment with $_base."
    _say "On Debian or Ubuntu: apt install python3-venv; elsewhere make sure that pip is installed."
    return 1
}

_install() {
    _say "installing graphmem into $ROOT/.venv (once; needs the network)"
    set -- "$@"
    if [ $# -gt 0 ]; then
        # Dependency groups (PEP 735) came with pip 25.1.
        _quietly "$PYTHON" -m pip install -q --upgrade 'pip>=25.1' || return 1
        for _group; do
            _quietly "$PYTHON" -m pip install -q --group "$ROOT/pyproject.toml:$_group" || return 1
        done
    fi
    _quietly "$PYTHON" -m pip install -q -e "$ROOT" && return
    _say "pip could not install graphmem; its message is above."
    _say "Check the network (or PIP_INDEX_URL, PIP_PROXY) and run $0 again."
    return 1
}

prepare_env() {
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    PYTHON="$ROOT/.venv/bin/python"
    if ! _is_recent "$PYTHON"; then
        _make_venv || return 1
    fi
    _stamp="$ROOT/.venv/.installed$(printf -- '-%s' "$@" | tr -c 'a-z0-9-' '_')"
    _wanted="$("$PYTHON" --version 2>&1) $ROOT $(cksum <"$ROOT/pyproject.toml")"
    if [ ! -f "$_stamp" ] || [ "$(cat "$_stamp")" != "$_wanted" ]; then
        _install "$@" || return 1
        printf '%s\n' "$_wanted" >"$_stamp"
    fi
}
