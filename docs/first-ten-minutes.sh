#!/usr/bin/env bash
# Makes first-ten-minutes.md: runs its commands with servers of its own on free ports, and puts what they print below
# them: docs/first-ten-minutes.sh >docs/first-ten-minutes.md. Runs the native program, made where it is not there or
# older than the build; or, with TOOL=redis-latency, an installed one. A page fails where an answer is longer than 45
# lines, or one of its lines than 100 columns.
# Each job is a group of its own, which ends whole.
set -meuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly MOST_LINES=45 MOST_COLUMNS=100
work=$(mktemp -d)
started=()
clean_up() {
    ((${#started[@]} == 0)) || kill -- "${started[@]/#/-}" 2>/dev/null || :
    wait
    rm -rf "$work"
}
trap clean_up EXIT
[[ -n ${TOOL:-} ]] || tests/native >&2
tool=${TOOL:-artifacts/native/redis-latency}
export COLUMNS=$MOST_COLUMNS NO_COLOR=1 REDISLATENCY__Output__Folder=$work/results

start_server() {
    redis-server --port "$1" --save '' --dir "$work" "${@:2}" >/dev/null &
    started+=($!)
    until redis-cli -p "$1" ping >/dev/null 2>&1; do sleep 0.1; done
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

say() { printf '%s\n' "$@"; }

# check_shape COMMAND: of what goes on the page; of an installed program it is only said.
check_shape() {
    local wrong=
    (($(wc -l <"$work/shown") <= MOST_LINES)) || wrong="more than $MOST_LINES lines"
    # By characters: some awks count bytes.
    LC_ALL=C.UTF-8 grep -E "^.{$((MOST_COLUMNS + 1))}" "$work/shown" >&2 && wrong="a line of more than $MOST_COLUMNS columns"
    [[ -z $wrong ]] && return
    echo "$1: $wrong" >&2
    [[ -n ${TOOL:-} ]]
}

# show WORDS…: the command with ports as the page names them, and its answer. A busy machine (4) is a result.
show() {
    local code=0 typed="redis-latency $*"
    typed=${typed//$first/6379}
    typed=${typed//$second/6380}
    typed=${typed//$replica/6381}
    "$tool" "$@" >"$work/answer" 2>"$work/live" || code=$?
    ((code == 0 || code == 4)) || { cat "$work/answer" "$work/live" >&2 && exit 1; }
    sed -E "s#$work/##; s/:$first/:6379/g; s/:$second/:6380/g; s/:$replica/:6381/g; /^RESULT /d" "$work/answer" >"$work/shown"
    check_shape "$typed"
    say '```' "\$ $typed"
    sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$work/shown"
    say '```' ''
}

first=$(free_port) second=$(free_port) replica=$(free_port)
start_server "$first"
start_server "$replica" --replicaof "127.0.0.1 $first" --repl-diskless-sync-delay 0

cat <<'END'
<!-- Made by first-ten-minutes.sh. -->
# The first ten minutes

What to type, and what a run printed. [Installed](../README.md#install) the
program is `redis-latency`; from a clone type
`dotnet run -c Release --project src/Tool --` in its place. Live lines are left
out.

## The floor

What the tool itself costs on this machine. No server is measured below it.

END
show producer --duration 3s
cat <<'END'
## A server

Messages go to the server and back. Where no [Consumer](consumer.md) answers, one
in this process does. Here one runs beside the server, as it would where your
application runs:

```text
redis-latency consumer localhost:6379 &
```

END
"$tool" consumer "localhost:$first" >/dev/null 2>&1 &
started+=($!)
show producer "localhost:$first" --consumer required --duration 3s
cat <<'END'
The first word is the verdict; below it is why.
[How to read the output](output.md) has every line.

## Two servers

Each with a Consumer. They are measured in turns of random order, so that what
the machine does meanwhile meets both alike. Here the first has a replica, to
which it passes on what is published; the second has none.

END
start_server "$second"
"$tool" consumer "localhost:$second" >/dev/null 2>&1 &
started+=($!)
show producer "localhost:$first" "localhost:$second" --consumer required --duration 10s --rate 2000
cat <<'END'
## A load

How many operations a server carries, and how long they take. Without `--rate`
as fast as it can.

END
show load "localhost:$first" --workload a --records 10k --duration 3s
cat <<'END'
## A replica

How far it is behind: keys are written to the source and awaited in the
replica.

END
show replication delay "localhost:$first" "localhost:$replica" --duration 3s
cat <<'END'
Next: [what to type](README.md#by-job) for the rest,
[two regions](two-regions.md) where the machines are two.
END
