using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using static RedisLatency.Workloads.FrontEnds.ForeignValues;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What memtier_benchmark was asked for.</summary>
internal sealed class MemtierOptions : ForeignOptionsOf
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

    public static ForeignCatalogue<MemtierOptions> Catalogue { get; } = MemtierCatalogue.Create();
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

    public static ForeignCatalogue<MemtierOptions> Create() =>
        Kept(Keys(Data(Load(Shown(Target(new ForeignCatalogue<MemtierOptions>()))))))
            .Flag("--as-original", o => o.AsOriginal = true,
                "Ours: one send time for a pipeline as it is filled, two digits in steps of 8 us")
            .Flag("--help", o => o.IsHelpAsked = true, "This")
            .Flag("--version -v", o => o.IsVersionAsked = true, "The version");

    private static ForeignCatalogue<MemtierOptions> Target(ForeignCatalogue<MemtierOptions> all) => all
        .Text("-s --server -h --host", "ADDR", (o, host) => o.Target.Host = host, "The server (localhost)")
        .Value("-p --port", "PORT", Syntax.SmallCount(1, 65_535), (o, port) => o.Target.Port = port, "Its port (6379)")
        .Text("-S --unix-socket", "SOCKET", (o, path) => o.Target.Socket = path, "Its Unix socket")
        .Refused("-4 --ipv4", null, "the system chooses the address; give an address instead of a name")
        .Refused("-6 --ipv6", null, "the system chooses the address; give an address instead of a name")
        .Value("-P --protocol", "PROTOCOL", Word("redis", "resp2", "resp3"), SetProtocol,
            "redis, resp2 or resp3 (redis); those of memcached are refused")
        .Text("-a --authenticate", "CREDENTIALS", SetLogin, "PASSWORD or USER:PASSWORD; better in REDISCLI_AUTH")
        .Text("-u --uri", "URI", (o, uri) => o.Target.Uri = uri, "redis:// or rediss:// instead of all these")
        .Flag("--tls", o => o.Target.IsTls = true, "Speak TLS")
        .Text("--cert", "FILE", (o, file) => o.Target.Options.TlsCertificate = file, "The client certificate")
        .Text("--key", "FILE", (o, file) => o.Target.Options.TlsKey = file, "Its key")
        .Text("--cacert", "FILE", (o, file) => o.Target.Options.TlsAuthorities = file, "Authorities to trust")
        .Flag("--tls-skip-verify", o => o.Target.Options.TlsInsecure = true, "Accept any certificate")
        .Refused("--tls-protocols", "LIST", "the system's configuration of OpenSSL has the versions")
        .Text("--sni", "NAME", (o, name) => o.Target.Options.TlsServerName = name, "The name in the certificate")
        .Value("--select-db", "DB", Number(0), (o, number) => o.Target.Database = number, "The database (0)")
        .Flag("--cluster-mode", o => o.IsCluster = true, "Each key goes to the primary that has its slot");

    private static ForeignCatalogue<MemtierOptions> Shown(ForeignCatalogue<MemtierOptions> all) => all
        .Value("-x --run-count", "NUMBER", Number(1, 1000), (o, count) => o.RunCount = count, "Runs (1)")
        .Flag("-D --debug", o => o.IsDebug = true, "Tell more on standard error")
        .Text("-o --out-file", "FILE", (o, file) => o.OutFile = file, "The text goes to a file")
        .Text("--json-out-file", "FILE", (o, file) => o.JsonFile = file, "JSON besides; no password in it")
        .Refused("--client-stats", "PREFIX", "connections are not told apart; --json-out-file has every second of all")
        .Text("--hdr-file-prefix", "PREFIX", (o, prefix) => o.HdrPrefix = prefix, "Histograms as text and as HDR log")
        .Refused("--show-config", null, "the file of --json-out-file has the configuration")
        .Flag("--hide-histogram", o => o.HidesHistogram = true, "No Request Latency Distribution")
        .Flag("--print-all-runs", o => o.PrintsAllRuns = true, "Each run, besides best, worst and average")
        .Value("--print-percentiles", "LIST", ForeignValues.Percentiles(), (o, list) => o.Percentiles = list,
            "Percentiles of the table, with commas (50,99,99.9)")
        .Value("--command-stats-breakdown", "BY", Word("command", "line"), (o, by) => o.IsByLine = by == "line",
            "command adds up lines of one command, line does not (command); no effect without --command")
        .Refused(
            ("--statsd-host", "ADDR"), ("--statsd-port", "PORT"), ("--statsd-prefix", "PREFIX"),
            ("--statsd-run-label", "LABEL"), ("--graphite-port", "PORT"), ("--prometheus-port", "PORT"),
            ("--prometheus-bind-addr", "ADDR"), ("--prometheus-run-label", "LABEL"),
            ("--prometheus-latency-buckets", "LIST"), ("--realtime-latencies", null), ("--latency-window", "SECONDS"),
            ("--command-miss-tracking", "MODE"), ("--miss-rate-threshold", "PERCENT"));

    private static ForeignCatalogue<MemtierOptions> Load(ForeignCatalogue<MemtierOptions> all) => all
        .Value("-n --requests", "NUMBER", Requests(), (o, number) => o.Requests = number,
            "Requests of each client (10000); allkeys: one fewer than keys, with P:P its share of all")
        .Value("--rate-limiting", "RPS", Syntax.Count(1, long.MaxValue / 1_000_000), (o, rate) => o.RateLimit = rate,
            "Requests of each connection a second, in a cluster to each node, by a schedule; latencies count from "
            + "when they were due")
        .Value("-c --clients", "NUMBER", Number(1, 100_000), (o, count) => o.Clients = count, "Of each thread (50)")
        .Value("-t --threads", "NUMBER", Number(1, 1024), (o, count) => o.Threads = count, "Threads (4)")
        .Value("--test-time", "SECS", Number(1), (o, time) => o.TestSeconds = time, "How long a run takes, not -n")
        .Refused(("--clients-start", "NUMBER"), ("--clients-step", "NUMBER"), ("--step-duration", "SECS"))
        .Value("--ratio", "SET:GET", Pair(':'), (o, pair) => o.Ratio = pair, "So many sets, then so many gets (1:10)")
        .Value("--pipeline", "NUMBER", Number(1, 10_000), (o, depth) => o.Pipeline = depth,
            "Requests in flight on a connection (1)")
        .Value("--reconnect-interval", "NUM", Number(0), (o, number) => o.ReconnectInterval = number,
            "A new connection after so many requests of one (0: never)")
        .Flag("--reconnect-on-error", _ => { }, $"Always so: {Restored}")
        .Refused("--max-reconnect-attempts", "NUM", Restored).Refused("--reconnect-backoff-factor", "NUM", Restored)
        .Value("--connection-timeout", "SECS", Number(0),
            (o, time) => (o.ConnectionTimeout, o.Target.Options.ConnectTimeout) =
                (time, TimeSpan.FromSeconds(time == 0 ? 5 : time)),
            "The longest wait for a connection (0: 5 seconds)")
        .Refused("--connection-stage-timeout", "SECS", "use --connection-timeout, which is for all of it")
        .Refused(("--thread-conn-start-min-jitter-micros", "NUM"), ("--thread-conn-start-max-jitter-micros", "NUM"))
        .Value("--multi-key-get", "NUM", Number(0, 10_000), (o, keys) => o.MultiKeyGet = keys,
            "Keys of a get, by MGET, which counts for as many gets of the ratio (0: GET)")
        .Flag("--distinct-client-seed", _ => { }, "Always so: no two connections draw the same")
        .Flag("--randomize", o => o.IsRandomized = true, "Another seed each time")
        .Text("--command", "COMMAND", (o, text) => o.Commands.Add(new MemtierCommand(text)),
            "A command line with __key__ and __data__ in it, instead of sets and gets")
        .Value("--command-ratio", "NUMBER", Number(1, 10_000), (o, ratio) => LastOf(o).Ratio = ratio,
            "How often the command before it comes in turn (1)")
        .Value("--command-key-pattern", "PATTERN", Word("R", "G", "Z", "S", "P"),
            (o, pattern) => LastOf(o).KeyPattern = pattern[0], "Keys of the command before it (R)")
        .Text("--monitor-input", "FILE", (o, file) => o.MonitorFile = file,
            "What MONITOR printed, for --command __monitor_line1__, one of its commands, or __monitor_line@__, all")
        .Value("--monitor-pattern", "S|R", Word("S", "R"), (o, pattern) => o.MonitorPattern = pattern[0],
            "Whether __monitor_line@__ takes them in sequence or at random (S)")
        .Refused("--scan-incremental-iteration", null, Scan)
        .Refused("--scan-incremental-max-iterations", "NUM", Scan)
        .Refused(
            ("--transaction", null), ("--max-retry-queue", "NUM"), ("--retry-on", "LIST"),
            ("--retry-backoff-ms", "MS"), ("--retry-backoff-factor", "NUM"), ("--failed-keys-file", "FILE"),
            ("--command-is-read", null), ("--read-preference", "WHERE"), ("--read-server", "ADDR"),
            ("--replica-clients", "NUM"), ("--replicas-per-shard", "NUM"), ("--read-preference-fallback", "HOW"))
        .Flag("--retry-on-error", o => o.RetriesErrors = true, "An operation is sent again on an error that may pass")
        .Value("--max-retries", "NUM", Syntax.SmallCount(-1, 1_000_000), (o, number) => o.MaximumRetries = number,
            "How often, with --retry-on-error (-1: a million times)");

    private static ForeignCatalogue<MemtierOptions> Data(ForeignCatalogue<MemtierOptions> all) => all
        .Value("-d --data-size", "SIZE", Number(1, 512 << 20), (o, size) => o.DataSize = size, "Bytes of a value (32)")
        .Value("--data-offset", "OFFSET", Number(0, (512 << 20) - 1), (o, offset) => o.DataOffset = offset,
            "SETRANGE and GETRANGE from there (0: SET and GET)")
        .Flag("-R --random-data", o => o.HasRandomData = true, "Random bytes, anew for each value")
        .Value("--data-size-range", "MIN-MAX", Pair('-'), (o, range) => o.DataRange = range, "Sizes between two")
        .Text("--data-size-list", "LIST", (o, list) => o.DataList = list, "Sizes with weights: 32:50,1024:1")
        .Value("--data-size-pattern", "R|S", Word("R", "S"), (o, pattern) => o.IsSizedByKey = pattern == "S",
            "Sizes of a range are drawn, or grow with the key (R)")
        .Value("--expiry-range", "MIN-MAX", Pair('-'), (o, range) => o.Expiry = range, "Seconds to live, by SETEX");

    private static ForeignCatalogue<MemtierOptions> Keys(ForeignCatalogue<MemtierOptions> all) => all
        .Text("--key-prefix", "PREFIX", (o, prefix) => o.KeyPrefix = prefix, "What precedes a key's number (memtier-)")
        .Value("--key-minimum", "NUMBER", Count(), (o, least) => o.KeyMinimum = least, "The first key (0)")
        .Value("--key-maximum", "NUMBER", Syntax.Count(1, long.MaxValue / 2), (o, most) => o.KeyMaximum = most,
            "The last key (10000000)")
        .Text("--key-pattern", "SET:GET", (o, pattern) => o.KeyPattern = pattern,
            "R uniform, G gaussian, Z zipfian, S sequential, P each connection its part (R:R)")
        .Value("--key-stddev", "NUM", Real(), (o, value) => o.KeyDeviation = value, "Of G (a sixth of the range)")
        .Value("--key-median", "NUM", Real(), (o, value) => o.KeyMedian = value, "Of G (the middle)")
        .Value("--key-zipf-exp", "NUM", Syntax.Number(0.001, 5), (o, value) => o.ZipfExponent = value,
            "Of Z (1); no effect without it")
        .Value("--wait-ratio", "SET:WAIT", Pair(':'), (o, pair) => o.WaitRatio = pair,
            "A WAIT first, then after as many sets as SET / WAIT and one more, as in the original (1:0)")
        .Value("--num-slaves", "MIN-MAX", Range(), (o, range) => o.Replicas = range,
            "Replicas that WAIT waits for; no effect without --wait-ratio")
        .Value("--wait-timeout", "MIN-MAX", Range(), (o, range) => o.WaitTimeout = range,
            "Its time limit in ms, drawn evenly; no effect without --wait-ratio");

    private static ForeignCatalogue<MemtierOptions> Kept(ForeignCatalogue<MemtierOptions> all) => all
        .Refused(
            ("--data-import", "FILE"), ("--data-verify", null), ("--verify-only", null), ("--generate-keys", null),
            ("--no-expiry", null));

    private static MemtierCommand LastOf(MemtierOptions options) => options.Commands is [.., var last]
        ? last
        : throw new Hosting.Running.ConfigurationException(
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
