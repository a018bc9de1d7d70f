using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What redis-benchmark 7 and 8, or valkey-benchmark, was asked for.</summary>
internal sealed class RedisBenchmarkOptions : ForeignOptionsOf
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

    public static ForeignCatalogue<RedisBenchmarkOptions> Catalogue { get; } =
        new ForeignCatalogue<RedisBenchmarkOptions>()
            .Text("-h", "HOST", (o, host) => o.Target.Host = host, "The server (127.0.0.1)")
            .Value("-p", "PORT", Syntax.SmallCount(0, 65_535), (o, port) => o.Target.Port = port, "Its port (6379)")
            .Text("-s", "SOCKET", (o, path) => o.Target.Socket = path, "Its Unix socket")
            .Text("-a", "PASSWORD", (o, password) => o.Target.Password = password,
                "The password; better in the variable REDISCLI_AUTH")
            .Text("--user", "NAME", (o, user) => o.Target.User = user, "The ACL user")
            .Text("-u", "URI", (o, uri) => o.Target.Uri = uri, "redis://, rediss:// or valkey:// instead of all these")
            .Value("-c", "CLIENTS", Syntax.SmallCount(1, MostClients, "clients"), (o, count) => o.Clients = count,
                "Connections of all threads together (50); with --cluster as many to each master")
            .Value("-n", "REQUESTS", Syntax.Count(1, int.MaxValue * 1000L, "requests"), (o, n) => o.Requests = n,
                "Requests of a test (100000); exactly so many, where the original sends whole pipelines")
            .Value("-d", "SIZE", Syntax.SmallCount(1, MostBytes, "bytes"), (o, size) => o.DataSize = size,
                "Bytes of a value (3)")
            .Value("--dbnum", "DB", Syntax.SmallCount(0, int.MaxValue), (o, number) => o.Target.Database = number,
                "The database (0)")
            .Flag("-3", o => o.Target.Options.Protocol = Hosting.Options.ProtocolChoice.Resp3, "Speak RESP3")
            .Value("--threads", "NUM", Syntax.SmallCount(0, MostThreads, "threads"), (o, count) => o.Threads = count,
                "Threads, which share the clients (1)")
            .Flag("--cluster", o => o.IsCluster = true, "Each key goes to the master that has its slot")
            .Refused("--enable-tracking", null, "invalidations are not measured, and would be read as replies")
            .Value("-k", "BOOLEAN", Syntax.SmallCount(0, 1), (o, keeps) => o.KeepsConnections = keeps == 1,
                "1 keeps connections, 0 opens one for each pipeline (1)")
            .Value("-r", "KEYSPACELEN", Syntax.Count(0, long.MaxValue / 2), (o, length) => o.Keyspace = length,
                "__rand_int__ is a number below this in twelve digits; without it the text stays as it is")
            .Value("-P", "NUMREQ", Syntax.SmallCount(1, 10_000, "requests"), (o, depth) => o.Pipeline = depth,
                "Requests that are sent together; the next ones when all were answered (1)")
            .Flag("-q", o => o.IsQuiet = true, "A line for each test")
            .Value("--precision", "DIGITS", Syntax.SmallCount(0, 4), (o, digits) => o.Precision = digits,
                "Significant digits of --as-original; correct numbers have three in any case")
            .Flag("--csv", o => o.IsCsv = true, "CSV")
            .Flag("-l", o => o.IsLoop = true, "The tests again and again, until it is stopped or one fails")
            .Text("-t", "TESTS", (o, tests) => o.Tests = tests.ToLowerInvariant().Split(','),
                "Only these tests, with commas")
            .Flag("-I", o => o.IsIdle = true, "Only idle connections, until it is stopped; one of them sends one PING")
            .Flag("-x", o => o.TakesLastFromInput = true,
                "The last argument of the command is standard input, at most 16 MiB")
            .Value("--seed", "NUM", Syntax.SmallCount(0, int.MaxValue), (o, seed) => o.Seed = seed,
                "Of what is drawn; without it another one each time")
            .Flag("-e", _ => { }, "Nothing, as in the original: an error reply ends the run")
            .Flag("--tls", o => o.Target.IsTls = true, "Speak TLS")
            .Text("--sni", "HOST", (o, name) => o.Target.Options.TlsServerName = name, "The name in the certificate")
            .Text("--cacert", "FILE", (o, file) => o.Target.Options.TlsAuthorities = file, "Authorities to trust")
            .Refused("--cacertdir", "DIR", "authorities come from one file, --cacert, or from the system")
            .Flag("--insecure", o => o.Target.Options.TlsInsecure = true, "Accept any certificate")
            .Text("--cert", "FILE", (o, file) => o.Target.Options.TlsCertificate = file, "The client certificate")
            .Text("--key", "FILE", (o, file) => o.Target.Options.TlsKey = file, "Its key")
            .Refused("--tls-ciphers", "LIST", "the system's configuration of OpenSSL has the ciphers")
            .Refused("--tls-ciphersuites", "LIST", "the system's configuration of OpenSSL has the ciphers")
            .Value("--rps", "RPS", Syntax.SmallCount(1, int.MaxValue), (o, rate) => o.Rate = rate,
                "Requests of all clients a second, by a schedule; latencies count from when they were due")
            .Value("--duration", "SECONDS", ForeignValues.Seconds(), (o, time) => o.Duration = time,
                "How long a test takes, not -n")
            .Value("--warmup", "SECONDS", ForeignValues.Seconds(), (o, time) => o.WarmUp = time,
                "Not measured, before each test")
            .Value("--rfr", "no|yes|all", ForeignValues.Word("no", "yes", "all"), (o, word) => o.ReadFrom = word switch
            {
                "yes" => ReadPreference.Replica,
                "all" => ReadPreference.Any,
                _ => ReadPreference.Primary,
            },
                "Whether reads go to replicas of a cluster, or to all of its nodes (no)")
            .Flag("--sequential", o => o.IsSequential = true, "__rand_int__ counts up instead of being drawn")
            .Refused(
                ("--dataset", "FILE"), ("--maxdocs", "NUM"), ("--mptcp", null),
                ("--rdma", null), ("--num-functions", "NUM"), ("--num-keys-in-fcall", "NUM"))
            .Refused("--fuzz", null, "this tool measures, and tries no broken input")
            .Flag("--as-original", o => o.AsOriginal = true,
                "Ours: a batch's latency for each of its requests, steps of 8 us, none above 3 s")
            .Flag("--help", o => o.IsHelpAsked = true, "This")
            .Flag("--version -v", o => o.IsVersionAsked = true, "The version");
}
