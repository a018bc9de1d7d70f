#!/usr/bin/env bash
# Makes first-ten-minutes.md: runs its commands with servers of its own on free ports, and puts what they print below
# them: docs/first-ten-minutes.sh >docs/first-ten-minutes.md. Runs the native program, made where it is not there or
# older than the build; or, with TOOL=redis-latency, an installed one. A page fails where an answer is longer than 45
# lines, or one of its lines than 100 columns. Its table of times has memtier_benchmark, redis-benchmark and redis-shake
# where they are found; `docs/first-ten-minutes.sh table` prints that alone.
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

# timed COMMAND…: $seconds is how long it took, from Enter to the prompt.
timed() {
    local from=$EPOCHREALTIME code=0
    "$@" || code=$?
    seconds=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $from }")
    return $code
}

# took JOB SHOWN TYPED: a line of the table; with Enter, which ends what is typed.
took() { printf '| %s | %s | %d | %s |\n' "$1" "$2" "$((${#3} + 1))" "$seconds" >>"$work/table"; }

# beside JOB SHOWN TYPED COMMAND…: another program for the same job.
beside() {
    command -v "$4" >/dev/null || { echo "$4 is not here: the table goes without" >&2 && return; }
    timed "${@:4}" >"$work/answer" 2>&1 || { cat "$work/answer" >&2 && exit 1; }
    took "$1" "$2" "$3"
}

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

# run JOB WORDS…: $typed is the command with ports as the page names them. A busy machine (4) is a result.
run() {
    local code=0 job=$1
    shift
    typed="redis-latency $*"
    typed=${typed//$first/6379}
    typed=${typed//$second/6380}
    typed=${typed//$replica/6381}
    timed "$tool" "$@" >"$work/answer" 2>"$work/live" || code=$?
    ((code == 0 || code == 4)) || { cat "$work/answer" "$work/live" >&2 && exit 1; }
    took "$job" "\`$typed\`" "$typed"
}

# show JOB WORDS…: the command and its answer.
show() {
    run "$@"
    sed -E "s#$work/##; s/:$first/:6379/g; s/:$second/:6380/g; s/:$replica/:6381/g; /^RESULT /d" "$work/answer" >"$work/shown"
    check_shape "$typed"
    say '```' "\$ $typed"
    sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$work/shown"
    say '```' ''
}

exec 3>&1
[[ ${1:-} != table ]] || exec >/dev/null
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
show 'the floor' producer --duration 3s
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
show 'a server' producer "localhost:$first" --consumer required --duration 3s
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
show 'two servers' producer "localhost:$first" "localhost:$second" --consumer required --duration 10s --rate 2000
cat <<'END'
## A load

How many operations a server carries, and how long they take. Without `--rate`
as fast as it can.

END
show 'a load' load "localhost:$first" --workload a --records 10k --duration 3s
cat <<'END'
## A replica

How far it is behind: keys are written to the source and awaited in the
replica.

END
show 'a replica' replication delay "localhost:$first" "localhost:$replica" --duration 3s

# The same job by others, on the same servers: a load, and a copy of 200,000 keys of 100 bytes.
read -ra load <<<'--ratio 1:10 --test-time 3'
run "memtier's load" load memtier -p "$first" "${load[@]}"
beside "memtier's load" "\`memtier_benchmark -p 6379 ${load[*]}\`" "memtier_benchmark -p 6379 ${load[*]}" \
    memtier_benchmark -p "$first" "${load[@]}"
read -ra load <<<'-t get,set -n 300000 -q'
run "redis-benchmark's load" load redis-benchmark -p "$first" "${load[@]}"
beside "redis-benchmark's load" "\`redis-benchmark -p 6379 ${load[*]}\`" "redis-benchmark -p 6379 ${load[*]}" \
    redis-benchmark -p "$first" "${load[@]}"
redis-cli -p "$first" flushall >/dev/null
redis-cli -p "$first" eval "for i = 1, 200000 do redis.call('set', 'key:' .. i, string.rep('v', 100)) end" 0 >/dev/null
copied() {
    (($(redis-cli -p "$second" dbsize) >= 200000)) || { echo "$1 has not copied all" >&2 && exit 1; }
    redis-cli -p "$second" flushall >/dev/null
}
redis-cli -p "$second" flushall >/dev/null
run 'a copy' scan "localhost:$first" "localhost:$second"
copied redis-latency
settings=$(printf '[scan_reader]\naddress = "localhost:6379"\n[redis_writer]\naddress = "localhost:6380"\n')
sed "s/6379/$first/; s/6380/$second/" <<<"$settings" >"$work/shake.toml"
cd "$work"
beside 'a copy' '`redis-shake shake.toml`, and these four lines of settings' "$settings redis-shake shake.toml" \
    redis-shake shake.toml
! command -v redis-shake >/dev/null || copied RedisShake
cd - >/dev/null

exec >&3
cat <<'END'
## What it takes

How long each of these took on one machine, one after the other, from Enter to
the prompt, and how many keys it takes to type; beside it what others take for
the same job.

| job | typed | keystrokes | seconds |
|---|---|---|---|
END
cat "$work/table"
[[ ${1:-} != table ]] || exit 0
say ''
cat <<'END'
Next: [what to type](README.md#by-job) for the rest,
[two regions](two-regions.md) where the machines are two.
END
