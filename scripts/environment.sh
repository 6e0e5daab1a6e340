#!/usr/bin/env bash
# Runs a command where Rung's build and test packages are new enough.
#
#   scripts/environment.sh [--train] COMMAND [ARGUMENT]...
#
# On a host whose own packages will do, the command runs there, and packages
# that are missing are installed with apt. On any other Debian host it runs in
# a Debian 13 root file system, made once with mmdebstrap, kept in the user's
# cache and entered with bubblewrap (for root, in a chroot too); the host itself
# is left as it is, but for those two tools. A root that is there is used.
#
#   --train            also bring PyTorch, for scripts that train or make vectors
#   RUNG_ENV=host      never make a root, whatever the host's packages
#   RUNG_ENV=root      always use the root
#   RUNG_CACHE=DIR     where the root is kept (default ~/.cache/rung)
#   RUNG_BIND=DIR      a further folder to make visible in the root
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname "$here")
cache=${RUNG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rung}
archive_component=main

say() { echo "environment: $*" >&2; }
die() { say "error: $*"; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "installing packages needs root, and there is no sudo"; fi
}

# Package names of a list, those of trixie-backports alone with $2 = backports.
packages() {
  sed 's/#.*//' "$1" | awk -v want="${2:-}" 'NF && (want == "" || $2 == want) {print $1}'
}

lists=("$here/packages.txt")
if [ "${1:-}" = --train ]; then
  lists+=("$here/packages-train.txt")
  shift
fi
[ $# -gt 0 ] || die "usage: environment.sh [--train] COMMAND [ARGUMENT]..."

missing_on_host() {
  for list in "${lists[@]}"; do packages "$list"; done |
    while read -r package; do
      dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
        grep -q 'ok installed' || echo "$package"
    done
}

# True when the host has, or its archive offers, every package at the version
# that cooperative matrices need.
host_will_do() {
  local list package
  command -v apt-cache >/dev/null || return 1
  [ -z "$(missing_on_host)" ] || for list in "${lists[@]}"; do
    for package in $(packages "$list"); do
      apt-cache policy "$package" 2>/dev/null |
        grep -q 'Candidate: [0-9]' || return 1
    done
  done
  version_at_least libvulkan-dev 1.4.309 && version_at_least spirv-tools 2025.1
}

version_at_least() {
  local have
  have=$(apt-cache policy "$1" | awk '/Candidate:/ {print $2}')
  dpkg --compare-versions "$have" ge "$2"
}

install_on_host() {
  local missing
  missing=$(missing_on_host)
  [ -z "$missing" ] && return
  say "installing $(echo "$missing" | wc -w) packages"
  # shellcheck disable=SC2086
  as_root apt-get install -y --no-install-recommends $missing >&2
}

# The Debian mirror that the host itself uses.
host_mirror() {
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(COMPONENT)' \
      'Created-By: Packages' 2>/dev/null |
    awk -v c=$archive_component \
      '$2 == "Debian" && $3 == c && $1 !~ /security/ {print $1; exit}'
}

ensure_tools() {
  local need=()
  command -v mmdebstrap >/dev/null || need+=(mmdebstrap)
  command -v bwrap >/dev/null || need+=(bubblewrap)
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
    need+=(debian-archive-keyring)
  [ ${#need[@]} -eq 0 ] && return
  as_root apt-get update -q >&2
  as_root apt-get install -y --no-install-recommends "${need[@]}" >&2
}

# Sets bubblewrap to the command that runs it here. It needs / to be a mount
# point, which in a chroot it is not. There, in a mount namespace that ends with
# the command, / is bound over /proc (a mount point for certain, so it can be
# made private first and nothing reaches the host) and bubblewrap starts there.
find_bubblewrap() {
  local over='mount --make-private /proc && mount --rbind / /proc && exec chroot /proc "$@"'
  local try=(--bind / / --dev-bind /dev /dev --proc /proc --unshare-pid true) why
  bubblewrap=(bwrap)
  why=$("${bubblewrap[@]}" "${try[@]}" 2>&1) && return
  bubblewrap=(unshare --mount --propagation unchanged sh -c "$over" sh bwrap)
  [ "$(id -u)" = 0 ] && "${bubblewrap[@]}" "${try[@]}" 2>/dev/null && return
  say "${why##*$'\n'}"
  die "bubblewrap cannot run here; Debian 13 with trixie-backports among apt's" \
    "sources does without it, with RUNG_ENV=host"
}

# Makes the root in a temporary folder and moves it into place when complete,
# so that an interrupted run leaves nothing that looks finished.
make_root() {
  local root=$1 mirror work list plain=() backports=()
  ensure_tools
  find_bubblewrap
  mirror=$(host_mirror)
  [ -n "$mirror" ] || { as_root apt-get update -q >&2; mirror=$(host_mirror); }
  [ -n "$mirror" ] || die "apt names no Debian mirror on this host"
  for list in "${lists[@]}"; do
    mapfile -t -O ${#plain[@]} plain < <(packages "$list" |
      grep -vxFf <(packages "$list" backports; echo '#'))
    mapfile -t -O ${#backports[@]} backports < <(packages "$list" backports)
  done
  say "making a Debian 13 root in $root (about 3 GB, a few minutes)"
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/making.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  chmod 755 "$work"
  local from="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
  as_root mmdebstrap --variant=apt --mode=root --quiet \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --include="ca-certificates,$(IFS=,; echo "${plain[*]}")" \
    --customize-hook="chroot \"\$1\" apt-get install -y -q --no-install-recommends \
      -t trixie-backports ${backports[*]}" \
    --customize-hook='chroot "$1" apt-get clean' \
    trixie "$work" \
    "deb $from $mirror trixie $archive_component" \
    "deb $from $mirror trixie-backports $archive_component" >&2
  mv "$work" "$root"
  trap - EXIT
}

enter_root() {
  local root=$1 bind
  shift
  local arguments=(--bind "$root" / --dev-bind /dev /dev --proc /proc
    --ro-bind /sys /sys --tmpfs /tmp --bind "$project" "$project"
    --bind "$cache" "$cache" --setenv HOME "$HOME" --chdir "$PWD"
    --setenv RUNG_IN_ROOT 1 --unshare-pid --die-with-parent)
  mkdir -p "$HOME/.cache/ccache"
  arguments+=(--bind "$HOME/.cache/ccache" "$HOME/.cache/ccache"
    --setenv PATH /usr/lib/llvm-21/bin:/usr/local/bin:/usr/bin:/bin)
  # The real cases lie beside a checkout where there are any.
  [ -d "$project/../shared" ] && arguments+=(--ro-bind "$(realpath "$project/../shared")" "$(dirname "$project")/shared")
  for bind in ${RUNG_BIND:-}; do arguments+=(--bind "$bind" "$bind"); done
  find_bubblewrap
  exec "${bubblewrap[@]}" "${arguments[@]}" "$@"
}

if [ -n "${RUNG_IN_ROOT:-}" ]; then exec "$@"; fi
root=$cache/root-$(cat "${lists[@]}" | sha256sum | cut -c1-12)
case ${RUNG_ENV:-auto} in
host) install_on_host; exec "$@" ;;
auto) if [ ! -d "$root" ] && host_will_do; then install_on_host; exec "$@"; fi ;;
root) ;;
*) die "RUNG_ENV '${RUNG_ENV}' is neither 'host', 'root' nor 'auto'" ;;
esac

if [ ! -d "$root" ]; then
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  [ -d "$root" ] || make_root "$root"
  exec 9>&-
fi
enter_root "$root" "$@"
