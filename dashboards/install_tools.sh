#!/bin/sh
# Installs the tools that check the scripts of the pages, and touches the file $1 when they are there.
# Without a way to npm's registry it installs nothing and ends well; npm's message is shown of every other failure.
unreachable='ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT'

rm -f "$1"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
if npm --prefix "$(dirname "$0")" ci >"$output" 2>&1; then
	touch "$1"
# What `npm ci` reports of a connection that failed depends on its version; `npm ping` names the cause.
elif ! npm ping 2>&1 | grep -Eq "code ($unreachable)\$"; then
	cat "$output" >&2
	exit 1
fi
