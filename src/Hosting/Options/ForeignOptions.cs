using System.Text.RegularExpressions;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// What the options of memtier_benchmark, redis-benchmark, valkey-benchmark, YCSB and k6 are called here, for those
/// who type them out of habit.
/// </summary>
public static partial class ForeignOptions
{
    private const string Endpoint = "give the server as a word, HOST:PORT, or by --redis redis://HOST:PORT";
    private const string AsMemtier = ", or load memtier, which takes memtier_benchmark's own options";
    private const string Restored = "lost connections come back by themselves, until --reconnect-timeout";
    private const string Statsd = "use --metrics http://127.0.0.1:9121, which Prometheus reads";
    private const string Series = "the interval log latency.hlog of the results folder has it; see --out";
    private const string Record = "run.json in the results folder has it; see --out";
    private const string Ciphers = "the system's configuration of OpenSSL has it; see --tls-ca for what is set here";
    private const string Verify = "use --verify, which compares what GET returns with what was loaded";

    // The longer name first; a short one may mean two things, of which the value tells which.
    private static readonly Dictionary<string, string> Hints = new(StringComparer.Ordinal)
    {
        // Where to.
        ["--server --host --port --ipv4 --ipv6 -s -p -4 -6"] = Endpoint,
        ["--uri -u"] = "use --redis with the same URI",
        ["--unix-socket -S"] = "use --redis unix:PATH",
        ["--select-db --dbnum"] = "use --redis redis://HOST:PORT/NUMBER",
        ["--authenticate --password --pass --auth -a"] =
            "use --password-file or the variable REDISCLI_AUTH, and --user for a name",
        ["--tls"] = "use --redis rediss://HOST:PORT",
        ["--cacert --cacertdir"] = "use --tls-ca FILE",
        ["--cert"] = "use --tls-cert FILE",
        ["--key"] = "use --tls-key FILE",
        ["--sni"] = "use --tls-server-name NAME",
        ["--tls-skip-verify --insecure"] = "use --tls-insecure",
        ["--tls-protocols --tls-ciphers --tls-ciphersuites"] = Ciphers,
        ["-3"] = "use --protocol 3",
        ["--cluster-mode"] = "use --cluster on; the default asks the server",
        ["--rfr --read-preference --read-server --read-preference-fallback --replica-clients --replicas-per-shard"] =
            "use --read-from replica",
        ["--mptcp --rdma"] = "there is only TCP, TLS and Unix sockets; see --redis",
        ["-db"] = "use --driver raw or stackexchange",

        // How much, how fast, how long.
        ["--requests --iterations -i --totalops"] = "use --operations COUNT, which counts those of all connections",
        ["--test-time --runtime"] = "use --duration 60s",
        ["--rate-limiting --rps --qps -target"] = "use --rate, which is that of all connections together",
        ["--vus -threads"] = "use --clients COUNT, the connections of all threads together",
        ["--clients-start --clients-step --step-duration"] =
            "sweep --connections in a scenario file; the verb scenario runs it",
        ["--stage --stages"] = "use --rate 1k:30s,1k..10k:2m",
        ["--run-count -x"] = "use --repeat 3, which measures all but the load so often",
        ["-l"] = "start it again, with --duration as long as it shall last",
        ["--reconnect-interval -k"] = "use --reconnect-every 100, or 1 for a connection for each request",
        ["--reconnect-on-error --max-reconnect-attempts --reconnect-backoff-factor"] = Restored,
        // As the phase is called.
        ["--rendezvous-timeout"] = "use --peer-timeout 30s",
        ["--connection-timeout --connection-stage-timeout"] = "use --connect-timeout 5s",
        ["--thread-conn-start-min-jitter-micros --thread-conn-start-max-jitter-micros"] =
            "connections open before --warmup, which is not measured",
        ["-I --idle"] = "use --idle-connections COUNT, which are beside those that work",
        ["--retry-on-error --retry-on --max-retry-queue"] = "use --on-error retry",
        ["--retry-backoff-ms --retry-backoff-factor"] = "the pauses of --on-error retry are fixed",
        ["--failed-keys-file"] = "errors are counted by their kind; see --on-error",

        // Which operations.
        ["--ratio"] = "use --mix set=1,get=10" + AsMemtier,
        ["--tests"] = "use --mix get=1,set=1",
        ["--multi-key-get"] = "use --mix mget:10=1",
        ["--transaction"] = "use --mix multi=1",
        ["--command-ratio"] = "use --command 'GET __key__'=10",
        ["--command-is-read"] = "use --read-from, which knows what only reads",
        ["--monitor-input --monitor-pattern"] = "use --replay FILE",
        ["--scan-incremental-iteration --scan-incremental-max-iterations"] = "use --command 'SCAN 0'",
        ["--wait-ratio --num-slaves --wait-timeout"] = "use --mix set=9,wait:1=1",
        ["--dataset --maxdocs"] = "values come from --value and --value-size",
        ["--num-functions --num-keys-in-fcall"] = "use --command 'FCALL name 1 __key__'",
        ["--enable-tracking"] = "tracking is not measured; see --command",

        // Keys and values.
        ["--data-size"] = "use --value-size 32",
        ["--data-size-range"] = "use --value-size 64..4096",
        ["--data-size-list --data-size-pattern"] = "use --value-size 32:50,1024:1",
        ["--data-offset"] = "use --mix setrange:100=1",
        ["--random-data -R"] = "use --value random",
        ["--expiry-range --no-expiry"] = "use --expiry 60s",
        ["--data-import --generate-keys"] = "use the verb load, and --records",
        ["--data-verify --verify-only"] = Verify,
        ["--key-prefix"] = "use --key-form 'prefix:{0}'",
        ["--key-minimum"] = "use --first-record COUNT",
        ["--key-maximum -r"] = "use --records COUNT, the number of keys",
        ["--key-pattern --command-key-pattern"] = "use --keys uniform, gaussian, sequential or zipfian:1",
        ["--key-stddev --key-median"] = "use --keys gaussian",
        ["--key-zipf-exp --zipf --zipf_alpha"] = "use --keys zipfian:1",
        ["--sequential"] = "use --keys sequential",
        ["--distinct-client-seed --randomize"] = "use --seed COUNT; every connection draws for itself",

        // What is printed and kept.
        ["--debug -D"] = "use --verbose",
        ["--out-file -o"] = "use --out FOLDER, or redirect the output",
        ["--json-out-file --summary-export"] = "use --format json, or run.json of --out",
        ["--csv"] = "use --format csv",
        ["--client-stats --hdr-file-prefix"] = Series,
        ["--show-config --print-all-runs --print-percentiles --precision --command-stats-breakdown"] = Record,
        ["--hide-histogram"] = "no histogram is printed; see --quiet",
        ["--realtime-latencies --latency-window"] = "the live view has them; see --live",
        ["--command-miss-tracking --miss-rate-threshold"] = "misses are counted; use --threshold 'misses<1%'",
        ["--prometheus-port --prometheus-bind-addr --prometheus-run-label --prometheus-latency-buckets"] = Statsd,
        ["--statsd-host --statsd-port --statsd-prefix --statsd-run-label --graphite-port"] = Statsd,
        ["--no-color"] = "set the variable NO_COLOR; see --live",
        ["-load"] = "use the verb load; see --records",
    };

    private static readonly Dictionary<string, string> Properties = new(StringComparer.Ordinal)
    {
        ["recordcount insertcount"] = "--records",
        ["insertstart"] = "--first-record",
        ["operationcount"] = "--operations",
        ["threadcount"] = "--clients",
        ["target"] = "--rate",
        ["maxexecutiontime"] = "--duration",
        ["workload"] = "--workload",
        ["requestdistribution"] = "--keys",
        ["fieldlength fieldcount fieldlengthdistribution minfieldlength"] = "--value-size",
        ["readproportion updateproportion insertproportion scanproportion readmodifywriteproportion"] = "--mix",
        ["insertorder zeropadding"] = "--key-form",
        ["dataintegrity"] = "--verify",
        ["redis.host redis.port"] = "--redis",
        ["redis.password"] = "--password-file",
        ["redis.cluster"] = "--cluster",
        ["redis.timeout"] = "--command-timeout",
    };

    /// <summary>What to type instead; null where the word is nobody's, or nothing among the options does it.</summary>
    /// <param name="name">The option with its dashes.</param>
    /// <param name="value">The word after it; null where there is none.</param>
    /// <param name="options">The names of the options that can be typed.</param>
    public static string? HintFor(string name, string? value, IReadOnlyCollection<string> options)
    {
        var hint = name == "-p" && value?.Split('=') is [var property, _]
            ? Find(Properties, property) is { } option ? $"use {option}" : "see --help for what YCSB sets by properties"
            : name == "--ratio" && value?.Split(':') is [var sets, var gets] && IsWeight(sets) && IsWeight(gets)
                ? $"use --mix set={sets},get={gets}{AsMemtier}"
                : Find(Hints, name);
        if (hint is null)
            return null;
        var own = OwnOption().Match(hint).Value;
        return own == "--help" || options.Contains(own) ? hint : null;
    }

    private static bool IsWeight(string text) => text.Length is > 0 and < 10 && text.All(char.IsAsciiDigit);

    private static string? Find(Dictionary<string, string> table, string word) =>
        table.FirstOrDefault(row => row.Key.Split(' ').Contains(word)).Value;

    [GeneratedRegex("--[a-z-]+")]
    private static partial Regex OwnOption();
}
