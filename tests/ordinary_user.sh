#!/bin/sh
# The demo, the tests of texts and the server, as an ordinary user has them: from an archive in a folder with a space
# and an umlaut, a home that cannot be written, no git and no compiler. Run as root, it becomes the user nobody.
set -eu
umask 077
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'kill -KILL -"$(cat "$work/tmp/group" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tree="$work/Tautline für alle"
mkdir "$work/home" "$work/tmp" "$work/bin" "$tree"
git -C "$root" archive HEAD | tar -C "$tree" -xf -
for program in /usr/bin/* /bin/*; do
  case "${program##*/}" in
    git* | gcc* | g++* | cc | c++* | c89* | c99* | cpp* | clang* | ld | ld.* | as | *-linux-gnu-* | rustc | cargo | node* | npm*) ;;
    *) ln -sf "$program" "$work/bin/" ;;
  esac
done
chmod 755 "$work" "$work/bin"
chmod 555 "$work/home"
as_user=""
if [ "$(id -u)" = 0 ]; then
  chown -R nobody "$tree" "$work/tmp"
  as_user="setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs"
fi
cd "$tree"
user() {
  $as_user env -u LC_ALL -u LC_CTYPE -u PYTHONPATH -u XDG_CACHE_HOME -u PYENV_ROOT HOME="$work/home" TMPDIR="$work/tmp" PATH="$work/bin" \
    LANG=C "$@"
}
user make PYTHON="${PYTHON:-python3}" demo
test -s tautline-demo/report.html
user make texts

# In a group of its own, which Ctrl-C of a terminal reaches as a whole.
user TAUTLINE_PORT=0 setsid sh -c 'echo $$ >"$TMPDIR/group"; exec make serve' >"$work/serve.log" 2>&1 &
server=$!
until grep -q "login?token=" "$work/serve.log"; do
  kill -0 "$server" || { cat "$work/serve.log"; exit 1; }
  sleep 0.2
done
kill -INT -"$(cat "$work/tmp/group")"
wait "$server" || true
grep -q "server ended" "$work/serve.log" && ! grep -q Traceback "$work/serve.log" || { cat "$work/serve.log"; exit 1; }
echo "an ordinary user has demo, texts and server"
