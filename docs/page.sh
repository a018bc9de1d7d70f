#!/usr/bin/env bash
# Makes page.png: the first screen of the page of a run, as Chromium shows it.
# docs/page.sh RUN, where RUN is the folder of a run that is VALID
set -euo pipefail
docs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

redis-latency report "$1" --file "$work/page.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
    --window-size=1280,800 --screenshot="$docs/page.png" "file://$work/page.html"
