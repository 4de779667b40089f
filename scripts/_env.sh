# shellcheck shell=sh
# Sourced by the scripts beside it: a Python environment in .venv with graphmem in it.
#
#   graphmem_env [GROUP ...]    e.g. `graphmem_env dev` for that dependency group too
#
# sets GRAPHMEM_BIN to the directory of the environment's programs. Installs only when
# pyproject.toml or the interpreter changed. Needs `root`, the repository's directory.

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
    _say "making $root/.venv with $("$_base" --version 2>&1)"
    if "$_base" -m venv --clear "$root/.venv" >/dev/null 2>&1; then
        return
    fi
    # Debian and Ubuntu split ensurepip off: the system's pip then fills the environment.
    if "$_base" -m venv --clear --without-pip "$root/.venv" &&
        _quietly "$_base" -m pip --python "$_python" install -q pip; then
        return
    fi
    _say "can't make a virtual environment with $_base."
    _say "On Debian or Ubuntu: apt install python3-venv; elsewhere make sure that pip is installed."
    return 1
}

_install() {
    _say "installing graphmem into $root/.venv (once; needs the network)"
    if [ $# -gt 0 ]; then
        # Dependency groups (PEP 735) came with pip 25.1.
        _quietly "$_python" -m pip install -q --upgrade 'pip>=25.1' || return 1
        for _group; do
            _quietly "$_python" -m pip install -q --group "$root/pyproject.toml:$_group" || return 1
        done
    fi
    _quietly "$_python" -m pip install -q -e "$root" && return
    _say "pip could not install graphmem; its message is above."
    _say "Check the network (or PIP_INDEX_URL, PIP_PROXY) and run $0 again."
    return 1
}

graphmem_env() {
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    GRAPHMEM_BIN="$root/.venv/bin"
    _python="$GRAPHMEM_BIN/python"
    if ! _is_recent "$_python"; then
        _make_venv || return 1
    fi
    _stamp="$root/.venv/.installed$(printf -- '-%s' "$@" | tr -c 'a-z0-9-' '_')"
    _wanted="$("$_python" --version 2>&1) $root $(cksum <"$root/pyproject.toml")"
    if [ ! -f "$_stamp" ] || [ "$(cat "$_stamp")" != "$_wanted" ]; then
        _install "$@" || return 1
        printf '%s\n' "$_wanted" >"$_stamp"
    fi
}
