using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;
using static RedisLatency.Workloads.FrontEnds.ForeignValues;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What memtier_benchmark was asked for.</summary>
internal sealed class MemtierOptions : FrontEndOptions
{
    public MemtierOptions() =>
        Target = new ForeignTarget { Host = "localhost", InsecureOption = "--tls-skip-verify" };

    public string Protocol { get; set; } = "redis";
    public string? OutFile { get; set; }
    public string? JsonFile { get; set; }
    public string? HdrPrefix { get; set; }
    public int RunCount { get; set; } = 1;
    public bool PrintsAllRuns { get; set; }
    public bool HidesHistogram { get; set; }
    public IReadOnlyList<double> Percentiles { get; set; } = [50, 99, 99.9];
    public bool IsByLine { get; set; }

    /// <summary>Of each client; null for the default, which is exclusive with a time; -1 for every key once.</summary>
    public long? Requests { get; set; }
    public int? TestSeconds { get; set; }
    public long RateLimit { get; set; }
    public int Clients { get; set; } = 50;
    public int Threads { get; set; } = 4;
    public int Pipeline { get; set; } = 1;
    public (int Sets, int Gets) Ratio { get; set; } = (1, 10);
    public bool IsCluster { get; set; }
    public bool IsRandomized { get; set; }
    public bool IsDebug { get; set; }
    public int MultiKeyGet { get; set; }

    public List<MemtierCommand> Commands { get; } = [];
    public string? MonitorFile { get; set; }
    public char MonitorPattern { get; set; } = 'S';

    public int DataSize { get; set; } = 32;
    public int DataOffset { get; set; }
    public bool HasRandomData { get; set; }
    public (int Least, int Most)? DataRange { get; set; }
    public string? DataList { get; set; }
    public bool IsSizedByKey { get; set; }
    public (int Least, int Most)? Expiry { get; set; }
    public string KeyPrefix { get; set; } = "memtier-";
    public long KeyMinimum { get; set; }
    public long KeyMaximum { get; set; } = 10_000_000;
    public string KeyPattern { get; set; } = "R:R";
    public double KeyDeviation { get; set; }
    public double KeyMedian { get; set; }
    public double ZipfExponent { get; set; } = 1;
    public int ReconnectInterval { get; set; }
    public int ConnectionTimeout { get; set; }
    public bool RetriesErrors { get; set; }
    public int MaximumRetries { get; set; } = -1;
    public (int Sets, int Waits) WaitRatio { get; set; } = (1, 0);
    public (int Least, int Most) Replicas { get; set; }
    public (int Least, int Most) WaitTimeout { get; set; }
}

/// <summary>A command of the user's own: how often it comes in turn, and where its keys come from.</summary>
internal sealed record MemtierCommand(string Text)
{
    private const string LinePrefix = "__monitor_line";

    public int Ratio { get; set; } = 1;
    public char KeyPattern { get; set; } = 'R';

    public bool IsMonitored => Text.StartsWith(LinePrefix, StringComparison.Ordinal);

    public bool IsWholeFile => Text == $"{LinePrefix}@__";

    // Of the file, from 1; null for what no number is.
    public int? Line => Text.EndsWith("__", StringComparison.Ordinal)
        && int.TryParse(Text[LinePrefix.Length..^2], NumberStyles.None, CultureInfo.InvariantCulture, out var line)
        && line > 0 ? line : null;

    /// <summary>Its first word, in capitals.</summary>
    public string Name => Text.Trim().Split(' ')[0].Trim('"', '\'').ToUpperInvariant();
}

internal static class MemtierCatalogue
{
    private const string Restored = "lost connections come back by themselves, as often as it takes";
    private const string Scan = "a cursor is not followed; use --command \"SCAN 0\"";

    public static OptionCatalogue<MemtierOptions> Create() =>
        Keys(Data(Load(Shown(Target(new OptionCatalogue<MemtierOptions>("Memtier"))))))
            .RefuseForRun("--data-import FILE", "--data-verify", "--verify-only", "--generate-keys", "--no-expiry")
            .Add("--as-original", o => o.AsOriginal, Syntax.Flag,
                "Ours: one send time for a pipeline as it is filled, two digits in steps of 8 us")
            .AddHelp("--help", "--version -v");

    private static OptionCatalogue<MemtierOptions> Target(OptionCatalogue<MemtierOptions> all) => all
        .Add("-s --server -h --host ADDR", (o, host) => o.Target.Host = host, AnyText, "The server (localhost)")
        .Add("-p --port PORT", (o, port) => o.Target.Port = port, Syntax.SmallCount(1, 65_535), "Its port (6379)")
        .Add("-S --unix-socket SOCKET", (o, path) => o.Target.Socket = path, AnyText, "Its Unix socket")
        .Refuse("-4 --ipv4", "the system chooses the address; give an address instead of a name")
        .Refuse("-6 --ipv6", "the system chooses the address; give an address instead of a name")
        .Add("-P --protocol PROTOCOL", SetProtocol, Word("redis", "resp2", "resp3"),
            "redis, resp2 or resp3 (redis); those of memcached are refused")
        .Add("-a --authenticate CREDENTIALS", SetLogin, AnyText, "PASSWORD or USER:PASSWORD; better in REDISCLI_AUTH")
        .Add("-u --uri URI", (o, uri) => o.Target.Uri = uri, AnyText, "redis:// or rediss:// instead of all these")
        .Add("--tls", (o, _) => o.Target.IsTls = true, Syntax.Flag, "Speak TLS")
        .Add("--cert FILE", (o, file) => o.Target.Options.TlsCertificate = file, AnyText, "The client certificate")
        .Add("--key FILE", (o, file) => o.Target.Options.TlsKey = file, AnyText, "Its key")
        .Add("--cacert FILE", (o, file) => o.Target.Options.TlsAuthorities = file, AnyText, "Authorities to trust")
        .Add("--tls-skip-verify", (o, _) => o.Target.Options.TlsInsecure = true, Syntax.Flag, "Accept any certificate")
        .Refuse("--tls-protocols LIST", "the system's configuration of OpenSSL has the versions")
        .Add("--sni NAME", (o, name) => o.Target.Options.TlsServerName = name, AnyText, "The name in the certificate")
        .Add("--select-db DB", (o, number) => o.Target.Database = number, Number(0), "The database (0)")
        .Add("--cluster-mode", o => o.IsCluster, Syntax.Flag, "Each key goes to the primary that has its slot");

    private static OptionCatalogue<MemtierOptions> Shown(OptionCatalogue<MemtierOptions> all) => all
        .Add("-x --run-count NUMBER", o => o.RunCount, Number(1, 1000), "Runs (1)")
        .Add("-D --debug", o => o.IsDebug, Syntax.Flag, "Tell more on standard error")
        .Add("-o --out-file FILE", (o, file) => o.OutFile = file, AnyText, "The text goes to a file")
        .Add("--json-out-file FILE", (o, file) => o.JsonFile = file, AnyText, "JSON besides; no password in it")
        .Refuse("--client-stats PREFIX", "connections are not told apart; --json-out-file has every second of all")
        .Add("--hdr-file-prefix PREFIX", (o, prefix) => o.HdrPrefix = prefix, AnyText,
            "Histograms as text and as HDR log")
        .Refuse("--show-config", "the file of --json-out-file has the configuration")
        .Add("--hide-histogram", o => o.HidesHistogram, Syntax.Flag, "No Request Latency Distribution")
        .Add("--print-all-runs", o => o.PrintsAllRuns, Syntax.Flag, "Each run, besides best, worst and average")
        .Add("--print-percentiles LIST", o => o.Percentiles, Percentiles(),
            "Percentiles of the table, with commas (50,99,99.9)")
        .Add("--command-stats-breakdown BY", (o, by) => o.IsByLine = by == "line", Word("command", "line"),
            "command adds up lines of one command, line does not (command); no effect without --command")
        .RefuseForRun(
            "--statsd-host ADDR", "--statsd-port PORT", "--statsd-prefix PREFIX", "--statsd-run-label LABEL",
            "--graphite-port PORT", "--prometheus-port PORT", "--prometheus-bind-addr ADDR",
            "--prometheus-run-label LABEL", "--prometheus-latency-buckets LIST", "--realtime-latencies",
            "--latency-window SECONDS", "--command-miss-tracking MODE", "--miss-rate-threshold PERCENT");

    private static OptionCatalogue<MemtierOptions> Load(OptionCatalogue<MemtierOptions> all) => all
        .Add("-n --requests NUMBER", (o, number) => o.Requests = number, Requests(),
            "Requests of each client (10000); allkeys: one fewer than keys, with P:P its share of all")
        .Add("--rate-limiting RPS", o => o.RateLimit, Syntax.Count(1, long.MaxValue / 1_000_000),
            "Requests of each connection a second, in a cluster to each node, by a schedule; latencies count from "
            + "when they were due")
        .Add("-c --clients NUMBER", o => o.Clients, Number(1, 100_000), "Of each thread (50)")
        .Add("-t --threads NUMBER", o => o.Threads, Number(1, 1024), "Threads (4)")
        .Add("--test-time SECS", (o, time) => o.TestSeconds = time, Number(1), "How long a run takes, not -n")
        .RefuseForRun("--clients-start NUMBER", "--clients-step NUMBER", "--step-duration SECS")
        .Add("--ratio SET:GET", o => o.Ratio, Pair(':'), "So many sets, then so many gets (1:10)")
        .Add("--pipeline NUMBER", o => o.Pipeline, Number(1, 10_000), "Requests in flight on a connection (1)")
        .Add("--reconnect-interval NUM", o => o.ReconnectInterval, Number(0),
            "A new connection after so many requests of one (0: never)")
        .Add("--reconnect-on-error", (_, _) => { }, Syntax.Flag, $"Always so: {Restored}")
        .Refuse("--max-reconnect-attempts NUM", Restored).Refuse("--reconnect-backoff-factor NUM", Restored)
        .Add("--connection-timeout SECS",
            (o, time) => (o.ConnectionTimeout, o.Target.Options.ConnectTimeout) =
                (time, TimeSpan.FromSeconds(time == 0 ? 5 : time)),
            Number(0),
            "The longest wait for a connection (0: 5 seconds)")
        .Refuse("--connection-stage-timeout SECS", "use --connection-timeout, which is for all of it")
        .RefuseForRun("--thread-conn-start-min-jitter-micros NUM", "--thread-conn-start-max-jitter-micros NUM")
        .Add("--multi-key-get NUM", o => o.MultiKeyGet, Number(0, 10_000),
            "Keys of a get, by MGET, which counts for as many gets of the ratio (0: GET)")
        .Add("--distinct-client-seed", (_, _) => { }, Syntax.Flag, "Always so: no two connections draw the same")
        .Add("--randomize", o => o.IsRandomized, Syntax.Flag, "Another seed each time")
        .Add("--command COMMAND", (o, text) => o.Commands.Add(new MemtierCommand(text)), AnyText,
            "A command line with __key__ and __data__ in it, instead of sets and gets")
        .Add("--command-ratio NUMBER", (o, ratio) => LastOf(o).Ratio = ratio, Number(1, 10_000),
            "How often the command before it comes in turn (1)")
        .Add("--command-key-pattern PATTERN", (o, pattern) => LastOf(o).KeyPattern = pattern[0],
            Word("R", "G", "Z", "S", "P"), "Keys of the command before it (R)")
        .Add("--monitor-input FILE", (o, file) => o.MonitorFile = file, AnyText,
            "What MONITOR printed, for --command __monitor_line1__, one of its commands, or __monitor_line@__, all")
        .Add("--monitor-pattern S|R", (o, pattern) => o.MonitorPattern = pattern[0], Word("S", "R"),
            "Whether __monitor_line@__ takes them in sequence or at random (S)")
        .Refuse("--scan-incremental-iteration", Scan)
        .Refuse("--scan-incremental-max-iterations NUM", Scan)
        .RefuseForRun(
            "--transaction", "--max-retry-queue NUM", "--retry-on LIST", "--retry-backoff-ms MS",
            "--retry-backoff-factor NUM", "--failed-keys-file FILE", "--command-is-read", "--read-preference WHERE",
            "--read-server ADDR", "--replica-clients NUM", "--replicas-per-shard NUM",
            "--read-preference-fallback HOW")
        .Add("--retry-on-error", o => o.RetriesErrors, Syntax.Flag,
            "An operation is sent again on an error that may pass")
        .Add("--max-retries NUM", o => o.MaximumRetries, Syntax.SmallCount(-1, 1_000_000),
            "How often, with --retry-on-error (-1: a million times)");

    private static OptionCatalogue<MemtierOptions> Data(OptionCatalogue<MemtierOptions> all) => all
        .Add("-d --data-size SIZE", o => o.DataSize, Number(1, 512 << 20), "Bytes of a value (32)")
        .Add("--data-offset OFFSET", o => o.DataOffset, Number(0, (512 << 20) - 1),
            "SETRANGE and GETRANGE from there (0: SET and GET)")
        .Add("-R --random-data", o => o.HasRandomData, Syntax.Flag, "Random bytes, anew for each value")
        .Add("--data-size-range MIN-MAX", (o, range) => o.DataRange = range, Pair('-'), "Sizes between two")
        .Add("--data-size-list LIST", (o, list) => o.DataList = list, AnyText, "Sizes with weights: 32:50,1024:1")
        .Add("--data-size-pattern R|S", (o, pattern) => o.IsSizedByKey = pattern == "S", Word("R", "S"),
            "Sizes of a range are drawn, or grow with the key (R)")
        .Add("--expiry-range MIN-MAX", (o, range) => o.Expiry = range, Pair('-'), "Seconds to live, by SETEX");

    private static OptionCatalogue<MemtierOptions> Keys(OptionCatalogue<MemtierOptions> all) => all
        .Add("--key-prefix PREFIX", o => o.KeyPrefix, AnyText, "What precedes a key's number (memtier-)")
        .Add("--key-minimum NUMBER", o => o.KeyMinimum, Count(), "The first key (0)")
        .Add("--key-maximum NUMBER", o => o.KeyMaximum, Syntax.Count(1, long.MaxValue / 2), "The last key (10000000)")
        .Add("--key-pattern SET:GET", o => o.KeyPattern, AnyText,
            "R uniform, G gaussian, Z zipfian, S sequential, P each connection its part (R:R)")
        .Add("--key-stddev NUM", o => o.KeyDeviation, Real(), "Of G (a sixth of the range)")
        .Add("--key-median NUM", o => o.KeyMedian, Real(), "Of G (the middle)")
        .Add("--key-zipf-exp NUM", o => o.ZipfExponent, Syntax.Number(0.001, 5), "Of Z (1); no effect without it")
        .Add("--wait-ratio SET:WAIT", o => o.WaitRatio, Pair(':'),
            "A WAIT first, then after as many sets as SET / WAIT and one more, as in the original (1:0)")
        .Add("--num-slaves MIN-MAX", o => o.Replicas, Range(),
            "Replicas that WAIT waits for; no effect without --wait-ratio")
        .Add("--wait-timeout MIN-MAX", o => o.WaitTimeout, Range(),
            "Its time limit in ms, drawn evenly; no effect without --wait-ratio");

    private static MemtierCommand LastOf(MemtierOptions options) => options.Commands is [.., var last]
        ? last
        : throw new ConfigurationException(
            "--command-ratio, --command-key-pattern: they follow the --command that they are for");

    private static void SetProtocol(MemtierOptions options, string protocol)
    {
        options.Protocol = protocol;
        options.Target.Options.Protocol = protocol == "resp3" ? ProtocolChoice.Resp3 : ProtocolChoice.Resp2;
    }

    private static void SetLogin(MemtierOptions options, string login)
    {
        var colon = login.IndexOf(':', StringComparison.Ordinal);
        options.Target.User = colon > 0 ? login[..colon] : null;
        options.Target.Password = login[(colon + 1)..];
    }

    private static ValueSyntax<double> Real() => Syntax.Number(0, 1e18);

    private static ValueSyntax<long> Requests() => new("NUMBER|allkeys", text => text == "allkeys"
        ? ValueReading.Of(-1L)
        : Syntax.Count(1, long.MaxValue / 1_000_000).Read(text), value => value.ToString(default(IFormatProvider)));
}
