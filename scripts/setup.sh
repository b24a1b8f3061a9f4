# shellcheck shell=bash
# What scripts/run and scripts/test share: the system's parts, Python and .venv.
# Sourced, never run. A start that finds everything in place does none of it and prints nothing.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
python=     # set by pick_python
needed=()   # packages without which nothing starts
wanted=()   # packages without which something is left out
wanted_for= # the text that names what is left out

# --- what a first start says --------------------------------------------------------------------

# Text -> its words, in which each {} stands for what goes there. It is English, or Spanish or
# Basque where the machine speaks that.
declare -A texts=(
    [old_python]="Python 3.11 or newer is needed and this is {}. Install a newer one and run this again."
    [ear_and_voice]="the microphone and the voice"
    [some_tests]="some tests"
    [no_update]="apt-get update failed; going on with the lists at hand."
    [installing]="Installing {} ..."
    [not_all]="apt-get could not install them all."
    [missing]="Parts of the system are missing. Type: {}"
    [going_on]="Going on without {}. To add what is missing: {}"
    [no_write]="Cannot write to {}. Run this as the owner of that folder."
    [making]="Making .venv with {} ..."
    [no_venv]="Could not make {}. Is the disk full?"
    [python_parts]="Installing the Python parts (some minutes the first time) ..."
    [no_python_parts]="The Python parts could not be installed. Check the network and run this again."
)
case ${LC_ALL:-${LC_MESSAGES:-${LANG-}}} in
es*) texts=(
    [old_python]="Hace falta Python 3.11 o más nuevo, y este es {}. Instala uno más nuevo y repite la orden."
    [ear_and_voice]="el micrófono y la voz"
    [some_tests]="algunas pruebas"
    [no_update]="apt-get update ha fallado; se sigue con las listas que hay."
    [installing]="Instalando {} ..."
    [not_all]="apt-get no ha podido instalarlo todo."
    [missing]="Faltan partes del sistema. Escribe: {}"
    [going_on]="Se sigue sin {}. Para añadir lo que falta: {}"
    [no_write]="No se puede escribir en {}. Repite la orden como dueño de esa carpeta."
    [making]="Creando .venv con {} ..."
    [no_venv]="No se ha podido crear {}. ¿Está lleno el disco?"
    [python_parts]="Instalando las partes de Python (la primera vez, unos minutos) ..."
    [no_python_parts]="No se han podido instalar las partes de Python. Mira la red y repite la orden."
) ;;
eu*) texts=(
    [old_python]="Python 3.11 edo berriagoa behar da, eta hau {} da. Instalatu berriago bat eta errepikatu agindua."
    [ear_and_voice]="mikrofonorik eta ahotsik"
    [some_tests]="proba batzuk"
    [no_update]="apt-get update aginduak huts egin du; dauden zerrendekin jarraitzen da."
    [installing]="Instalatzen: {} ..."
    [not_all]="apt-get aginduak ezin izan du dena instalatu."
    [missing]="Sistemaren zati batzuk falta dira. Idatzi: {}"
    [going_on]="{} gabe jarraitzen da. Falta dena gehitzeko: {}"
    [no_write]="Ezin da hemen idatzi: {}. Errepikatu agindua karpeta horren jabe gisa."
    [making]=".venv sortzen, {} erabiliz ..."
    [no_venv]="Ezin izan da sortu: {}. Diskoa beteta al dago?"
    [python_parts]="Pythonen zatiak instalatzen (lehen aldian, minutu batzuk) ..."
    [no_python_parts]="Pythonen zatiak ezin izan dira instalatu. Begiratu sarea eta errepikatu agindua."
) ;;
esac

# in_words KEY [WORD...]: a text with each {} replaced by the next word.
in_words() {
    local text=${texts[$1]} word
    for word in "${@:2}"; do text=${text/'{}'/"$word"}; done
    printf '%s\n' "$text"
}

say() { printf '%s\n' "$*" >&2; }

# Ends with the exit code of everything that the user can put right.
die() {
    say "$@"
    exit 2
}

command_missing() { ! command -v "$1" >/dev/null; }

# library_missing SONAME (the system's folders are not on every user's PATH)
library_missing() { ! PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -F "$1" >/dev/null; }

# --- Python -------------------------------------------------------------------------------------

# pick_python: sets $python to a Python 3.11 or newer; fails if it cannot make a virtual
# environment. All matches on PATH are tried: a version manager's stand-in may exist and not work.
pick_python() {
    local name candidate
    python=
    for name in python3.13 python3.12 python3.11 python3; do
        while read -r candidate; do
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
                continue
            if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
                python=$candidate
                return 0
            fi
            python=${python:-$candidate}
        done < <(type -ap "$name")
    done
    return 1
}

need_python() {
    pick_python && return
    if [ -n "$python" ]; then
        # Debian splits what makes virtual environments from Python itself.
        needed+=("$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')")
    elif python3 --version >/dev/null 2>&1; then
        die "$(in_words old_python "$(python3 --version)")"
    else
        needed+=(python3 python3-venv)
    fi
}

# --- the system's parts -------------------------------------------------------------------------

need_camera() {
    library_missing libGL.so.1 && needed+=(libgl1)
    # Newer releases name it libglib2.0-0t64 and let it be asked for by the old name.
    library_missing libgthread-2.0.so.0 && needed+=(libglib2.0-0)
    return 0
}

want_ear_and_voice() {
    library_missing libportaudio.so.2 && wanted+=(libportaudio2)
    library_missing libespeak-ng.so.1 && wanted+=(espeak-ng)
    # pyttsx3 plays through aplay what espeak-ng says.
    command_missing aplay && wanted+=(alsa-utils)
    wanted_for=ear_and_voice
}

may_apt() {
    command_missing apt-get && return 1
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# The one line that installs packages, as the user would type it.
apt_line() {
    local sudo="sudo "
    [ "$(id -u)" -ne 0 ] || sudo=
    printf '%sapt-get update && %sapt-get install -y %s' "$sudo" "$sudo" "$*"
}

# apt_install PACKAGE...: installs those that this distribution has, for with one unknown name
# apt would install none.
apt_install() {
    local package known=()
    # One dead mirror among several fails the update and still leaves usable lists.
    as_root apt-get update -qq || say "$(in_words no_update)"
    for package in "$@"; do
        apt-get install --simulate -qq "$package" >/dev/null 2>&1 && known+=("$package")
    done
    [ "${#known[@]}" -gt 0 ] || return 0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=120 "${known[@]}" >/dev/null
}

# find_parts FUNCTION...: fills needed and wanted anew.
find_parts() {
    local check
    needed=()
    wanted=()
    for check in "$@"; do "$check"; done
}

# install_parts FUNCTION...: installs what the functions find missing, or says how to.
install_parts() {
    find_parts "$@"
    [ "$((${#needed[@]} + ${#wanted[@]}))" -gt 0 ] || return 0
    if may_apt; then
        say "$(in_words installing "${needed[*]} ${wanted[*]}")"
        apt_install "${needed[@]}" "${wanted[@]}" || say "$(in_words not_all)"
        find_parts "$@"
    fi
    if [ "${#needed[@]}" -gt 0 ]; then
        die "$(in_words missing "$(apt_line "${needed[@]}" "${wanted[@]}")")"
    elif [ "${#wanted[@]}" -gt 0 ]; then
        say "$(in_words going_on "$(in_words "$wanted_for")" "$(apt_line "${wanted[@]}")")"
    fi
}

# --- .venv --------------------------------------------------------------------------------------

# stamp_of LOCK: what has to be unchanged for .venv to be used as it is.
stamp_of() {
    (cd "$root" && sha256sum requirements/build.txt "requirements/$1.txt" scripts/setup.sh)
}

# A virtual environment does not survive being moved, nor an installation cut short.
venv_sound() {
    [ ! -e "$venv/.installing" ] && [ -x "$venv/bin/python" ] && [ -r "$venv/.root" ] &&
        [ "$(<"$venv/.root")" = "$root" ]
}

venv_ready() {
    venv_sound && [ -r "$venv/.stamp-$1" ] && [ "$(<"$venv/.stamp-$1")" = "$(stamp_of "$1")" ]
}

pip_install() {
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes "$@"
}

# link_project: puts the checkout on the environment's path and writes the `mus` command.
# Nothing is built or fetched for it, and an edited source is used at once.
link_project() {
    local site
    site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$root" >"$site/mus_assistant.pth"
    # Started by sh, since the path in a #! line may neither be long nor hold a space.
    cat >"$venv/bin/mus" <<MUS
#!/bin/sh
'''exec' "$venv/bin/python" "\$0" "\$@"
' '''
import sys

from assistant.cli.main import main

sys.exit(main())
MUS
    chmod +x "$venv/bin/mus"
}

# fill_venv LOCK: makes or repairs .venv from requirements/LOCK.txt.
fill_venv() {
    local lock=$1
    [ -w "$root" ] || die "$(in_words no_write "$root")"
    if ! venv_sound || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        say "$(in_words making "$("$python" --version)")"
        "$python" -m venv --clear "$venv" || die "$(in_words no_venv "$venv")"
        printf '%s\n' "$root" >"$venv/.root"
    fi
    : >"$venv/.installing"
    say "$(in_words python_parts)"
    # What has no wheel is built with the locked tools of build.txt, not with fetched ones.
    if ! pip_install -r "$root/requirements/build.txt" ||
        ! pip_install --no-build-isolation --use-pep517 -r "$root/requirements/$lock.txt"; then
        die "$(in_words no_python_parts)"
    fi
    link_project
    stamp_of "$lock" >"$venv/.stamp-$lock"
    rm "$venv/.installing"
}

# prepare LOCK FUNCTION...: when this returns .venv holds requirements/LOCK.txt, and the system
# the parts that the functions look for.
prepare() {
    local lock=$1
    shift
    venv_ready "$lock" && return
    # Two first starts at once would write over each other.
    exec 9<"$root/requirements/$lock.txt"
    command_missing flock || flock 9
    if ! venv_ready "$lock"; then
        install_parts need_python need_camera "$@"
        fill_venv "$lock"
    fi
    exec 9<&-
}
