using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Engine;
using static RedisLatency.Workloads.FrontEnds.ForeignValues;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What redis-benchmark 7 and 8, or valkey-benchmark, was asked for.</summary>
internal sealed class RedisBenchmarkOptions : FrontEndOptions
{
    private const int MostClients = 1_000_000;
    private const int MostThreads = 500;
    private const int MostBytes = 512 << 20;

    public int Clients { get; set; } = 50;
    public long? Requests { get; set; }
    public TimeSpan? Duration { get; set; }
    public TimeSpan WarmUp { get; set; }
    public int DataSize { get; set; } = 3;

    /// <summary>How many keys are drawn from; null where placeholders stay as they are.</summary>
    public long? Keyspace { get; set; }
    public int Pipeline { get; set; } = 1;
    public int Threads { get; set; }
    public int? Rate { get; set; }
    public bool IsCluster { get; set; }
    public bool IsSequential { get; set; }
    public ReadPreference ReadFrom { get; set; }
    public bool IsQuiet { get; set; }
    public bool IsCsv { get; set; }
    public bool IsLoop { get; set; }
    public bool IsIdle { get; set; }
    public bool KeepsConnections { get; set; } = true;
    public bool TakesLastFromInput { get; set; }

    /// <summary>The names of tests, in lower case; null for all.</summary>
    public IReadOnlyList<string>? Tests { get; set; }
    public int? Seed { get; set; }
    public int Precision { get; set; } = 3;

    public static OptionCatalogue<RedisBenchmarkOptions> CreateCatalogue() =>
        new OptionCatalogue<RedisBenchmarkOptions>("RedisBenchmark")
            .Add("-h HOST", (o, host) => o.Target.Host = host, AnyText, "The server (127.0.0.1)")
            .Add("-p PORT", (o, port) => o.Target.Port = port, Syntax.SmallCount(0, 65_535), "Its port (6379)")
            .Add("-s SOCKET", (o, path) => o.Target.Socket = path, AnyText, "Its Unix socket")
            .Add("-a PASSWORD", (o, password) => o.Target.Password = password, AnyText,
                "The password; better in the variable REDISCLI_AUTH")
            .Add("--user NAME", (o, user) => o.Target.User = user, AnyText, "The ACL user")
            .Add("-u URI", (o, uri) => o.Target.Uri = uri, AnyText,
                "redis://, rediss:// or valkey:// instead of all these")
            .Add("-c CLIENTS", o => o.Clients, Syntax.SmallCount(1, MostClients, "clients"),
                "Connections of all threads together (50); with --cluster as many to each master")
            .Add("-n REQUESTS", (o, n) => o.Requests = n, Syntax.Count(1, int.MaxValue * 1000L, "requests"),
                "Requests of a test (100000); exactly so many, where the original sends whole pipelines")
            .Add("-d SIZE", o => o.DataSize, Syntax.SmallCount(1, MostBytes, "bytes"), "Bytes of a value (3)")
            .Add("--dbnum DB", (o, number) => o.Target.Database = number, Syntax.SmallCount(0, int.MaxValue),
                "The database (0)")
            .Add("-3", (o, _) => o.Target.Options.Protocol = ProtocolChoice.Resp3, Syntax.Flag,
                "Speak RESP3")
            .Add("--threads NUM", o => o.Threads, Syntax.SmallCount(0, MostThreads, "threads"),
                "Threads, which share the clients (1)")
            .Add("--cluster", o => o.IsCluster, Syntax.Flag, "Each key goes to the master that has its slot")
            .Refuse("--enable-tracking", "invalidations are not measured, and would be read as replies")
            .Add("-k BOOLEAN", (o, keeps) => o.KeepsConnections = keeps == 1, Syntax.SmallCount(0, 1),
                "1 keeps connections, 0 opens one for each pipeline (1)")
            .Add("-r KEYSPACELEN", (o, length) => o.Keyspace = length, Syntax.Count(0, long.MaxValue / 2),
                "__rand_int__ is a number below this in twelve digits; without it the text stays as it is")
            .Add("-P NUMREQ", o => o.Pipeline, Syntax.SmallCount(1, 10_000, "requests"),
                "Requests that are sent together; the next ones when all were answered (1)")
            .Add("-q", o => o.IsQuiet, Syntax.Flag, "A line for each test")
            .Add("--precision DIGITS", o => o.Precision, Syntax.SmallCount(0, 4),
                "Significant digits of --as-original; correct numbers have three in any case")
            .Add("--csv", o => o.IsCsv, Syntax.Flag, "CSV")
            .Add("-l", o => o.IsLoop, Syntax.Flag, "The tests again and again, until it is stopped or one fails")
            .Add("-t TESTS", (o, tests) => o.Tests = tests.ToLowerInvariant().Split(','), AnyText,
                "Only these tests, with commas")
            .Add("-I", o => o.IsIdle, Syntax.Flag,
                "Only idle connections, until it is stopped; one of them sends one PING")
            .Add("-x", o => o.TakesLastFromInput, Syntax.Flag,
                "The last argument of the command is standard input, at most 16 MiB")
            .Add("--seed NUM", (o, seed) => o.Seed = seed, Syntax.SmallCount(0, int.MaxValue),
                "Of what is drawn; without it another one each time")
            .Add("-e", (_, _) => { }, Syntax.Flag, "Nothing, as in the original: an error reply ends the run")
            .Add("--tls", (o, _) => o.Target.IsTls = true, Syntax.Flag, "Speak TLS")
            .Add("--sni HOST", (o, name) => o.Target.Options.TlsServerName = name, AnyText,
                "The name in the certificate")
            .Add("--cacert FILE", (o, file) => o.Target.Options.TlsAuthorities = file, AnyText, "Authorities to trust")
            .Refuse("--cacertdir DIR", "authorities come from one file, --cacert, or from the system")
            .Add("--insecure", (o, _) => o.Target.Options.TlsInsecure = true, Syntax.Flag, "Accept any certificate")
            .Add("--cert FILE", (o, file) => o.Target.Options.TlsCertificate = file, AnyText, "The client certificate")
            .Add("--key FILE", (o, file) => o.Target.Options.TlsKey = file, AnyText, "Its key")
            .Refuse("--tls-ciphers LIST", "the system's configuration of OpenSSL has the ciphers")
            .Refuse("--tls-ciphersuites LIST", "the system's configuration of OpenSSL has the ciphers")
            .Add("--rps RPS", (o, rate) => o.Rate = rate, Syntax.SmallCount(1, int.MaxValue),
                "Requests of all clients a second, by a schedule; latencies count from when they were due")
            .Add("--duration SECONDS", (o, time) => o.Duration = time, Seconds(),
                "How long a test takes, not -n")
            .Add("--warmup SECONDS", o => o.WarmUp, Seconds(), "Not measured, before each test")
            .Add("--rfr no|yes|all", o => o.ReadFrom, Reads(),
                "Whether reads go to replicas of a cluster, or to all of its nodes (no)")
            .Add("--sequential", o => o.IsSequential, Syntax.Flag, "__rand_int__ counts up instead of being drawn")
            .RefuseForRun(
                "--dataset FILE", "--maxdocs NUM", "--mptcp", "--rdma", "--num-functions NUM",
                "--num-keys-in-fcall NUM")
            .Refuse("--fuzz", "this tool measures, and tries no broken input")
            .Add("--as-original", o => o.AsOriginal, Syntax.Flag,
                "Ours: a batch's latency for each of its requests, steps of 8 us, none above 3 s")
            .AddHelp("--help", "--version -v");

    private static ValueSyntax<ReadPreference> Reads() => Word("no", "yes", "all").As(
        word => word switch
        {
            "yes" => ReadPreference.Replica,
            "all" => ReadPreference.Any,
            _ => ReadPreference.Primary,
        },
        preference => preference.ToString());
}
