using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication;

internal static class DelayCatalogue
{
    private const string Section = "Delay";
    private const string Examples = "'delay.p99<150ms' or 'missing==0'";

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public static OptionCatalogue<DelayOptions> CreateBoth()
    {
        var catalogue = New();
        AddSource(catalogue, "with no endpoint, a pair in this process", EndpointSyntax.ProblemUnlessInProcess);
        AddDestination(catalogue, "; several are read at once", shownDefault: null)
            .Add("--source-region", o => o.SourceRegion, Syntax.OptionalText("NAME", DelayRules.RegionProblem),
                "Where the source is: its row in the table that matrix prints", shownDefault: "its endpoint")
            .AddList("--destination-region", o => o.DestinationRegions, Syntax.Text("NAME", DelayRules.RegionProblem),
                "Where the destination is; one for each, in their order", shownDefault: "its endpoint")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target);
        AddWriting(catalogue);
        AddReading(catalogue);
        AddWait(catalogue)
            .Add("--each-key", o => o.EachKey, Syntax.Flag,
                "Also write keys.csv to the results folder: what became of each key, and its stamps");
        AddContinuous(catalogue)
            .Group("Timing")
            .Add("--warmup", o => o.WarmUp, Syntax.Duration(most: LongestWait),
                "How long to write and read before it counts", key: "WarmUp");
        AddLinkTimeout(catalogue);
        AddRest(catalogue, writes: true, reads: true);
        return catalogue
            .Rule(["--threshold", "--source"],
                o => OutputCatalogue.TargetProblem(o.Output, o.Source is not null, "--source"))
            .Rule(["--source", "--destination"], o => LinkedNodes.AreInProcess(o.Source) == (o.Destinations.Count == 0)
                ? null
                : "both are needed, delay SOURCE DESTINATION, or neither for a pair in this process")
            .Rule(["--destination"], DelayRules.RepeatedDestination)
            .Rule(["--destination-region", "--destination"], DelayRules.UnevenRegions)
            .Rule(["--threshold", "--destination", "--destination-region"], DelayRules.UnknownDestination)
            .Rule(["--expiry", "--deadline"], DelayRules.ShortExpiry);
    }

    public static OptionCatalogue<DelayOptions> CreateWrite()
    {
        var catalogue = New();
        AddSource(catalogue, "needed", EndpointSyntax.Problem);
        AddPeer(
            catalogue, "udp://ADDRESS:PORT", "The server through which readers compare their clock with this one",
            "the source",
            "An address of this machine at which readers may also do that over UDP", "nowhere");
        AddWriting(catalogue);
        catalogue
            .Add("--shards", o => o.Shards, Syntax.SmallCount(1, SharedSlots.MostRanges, "ranges").Optional(),
                "Also write to this many equal ranges of slots, for a reader whose cluster divides its slots "
                + "in another way than the source; the reader reports how many it needs",
                shownDefault: "as the source's shards");
        AddContinuous(catalogue).Group("Timing");
        AddWait(catalogue);
        AddPeerTimeout(catalogue, "How long to wait for a reader to ask for this clock's time");
        AddRest(catalogue, writes: true, reads: false);
        return catalogue.Rule(["--source"], o => o.Source is null ? "a server to write to is needed" : null);
    }

    public static OptionCatalogue<DelayOptions> CreateRead()
    {
        var catalogue = New();
        AddDestination(catalogue, string.Empty, "needed");
        AddPeer(
            catalogue, "udp://HOST:PORT",
            "The server through which clocks are compared: the writer's --control, by default its source",
            null, "The address of the writer to compare clocks over UDP", "the one that the writer announces");
        AddPrefix(catalogue.Group("Keys"));
        AddReading(catalogue);
        catalogue.Add("--no-claims", o => o.NoClaims, Syntax.Flag,
            "Compare the clocks by probes only, even where both processes report that they read one clock");
        AddContinuous(catalogue)
            .Add("--duration -d", o => o.Duration, Syntax.Duration(Shortest).Optional(),
                "How long to read, with --continuous", shownDefault: "until stopped")
            .Group("Timing");
        AddPeerTimeout(catalogue, "How long to wait for the writer to announce itself, to answer, and to begin");
        AddRest(catalogue, writes: false, reads: true);
        return catalogue
            .Rule(["--destination"],
                o => o.Destinations.Count == 1 ? null : "a server to read from is needed, and one only")
            .Rule(["--duration"], o => o.Duration is null || o.Continuous.IsWanted
                ? null
                : "without --continuous the writer's keys are read, however long that takes");
    }

    public static OptionCatalogue<DelayOptions> CreateCheck()
    {
        var catalogue = New();
        AddSource(catalogue, "needed", EndpointSyntax.Problem);
        AddDestination(catalogue, string.Empty, "needed").Include(TargetCatalogue.CreateConnections(), o => o.Target);
        AddWriting(catalogue, FormattableString.Invariant($"{DelayPlan.CheckedKeys:#,0}"));
        AddReading(catalogue);
        catalogue.Group("Timing");
        AddLinkTimeout(catalogue);
        AddRest(catalogue, writes: true, reads: true);
        return catalogue
            .Except("--duration", "--out", "--live", "--quiet", "--junit", "--step-summary")
            .Rule(["--source", "--destination"], o => o.Source is not null && o.Destinations.Count == 1
                ? null
                : "both are needed, one of each: delay check SOURCE DESTINATION")
            .Rule(["--expiry", "--deadline"], DelayRules.ShortExpiry);
    }

    private static OptionCatalogue<DelayOptions> New() => new OptionCatalogue<DelayOptions>(Section).Group("Servers");

    private static void AddSource(
        OptionCatalogue<DelayOptions> catalogue, string shownDefault, Func<string, string?> problem) => catalogue
        .Add("--source", o => o.Source, Syntax.OptionalText("ENDPOINT", problem),
            "The server or cluster that keys are written to: redis://, rediss://, redis+cluster://, unix:, host:port",
            shownDefault: shownDefault, mask: EndpointSyntax.Mask, word: "SOURCE");

    private static OptionCatalogue<DelayOptions> AddDestination(
        OptionCatalogue<DelayOptions> catalogue, string more, string? shownDefault) => catalogue
        .AddList("--destination", o => o.Destinations, Syntax.Text("ENDPOINT", EndpointSyntax.Problem),
            $"The server or cluster that keys are read from, to which something replicates them{more}",
            shownDefault: shownDefault, mask: EndpointSyntax.Mask, word: "DESTINATION");

    private static void AddPeer(
        OptionCatalogue<DelayOptions> catalogue, string address, string control, string? shownControl, string probe,
        string shownProbe) => catalogue
        .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem), control,
            shownDefault: shownControl, mask: EndpointSyntax.Mask)
        .Add("--probe", o => o.Probe, Syntax.OptionalText(address, DelayRules.ProbeProblem), probe,
            shownDefault: shownProbe)
        .Include(TargetCatalogue.CreateConnections(), o => o.Target);

    private static void AddWriting(
        OptionCatalogue<DelayOptions> catalogue, string shownKeys = "as many as --duration takes")
    {
        catalogue
            .Group("Keys")
            .Add("--keys -n", o => o.Keys, Syntax.Count(1, KeyLedger.Most, "keys").Optional(),
                "How many keys to write", shownDefault: shownKeys)
            .Add("--duration -d", o => o.Duration, Syntax.Duration(Shortest).Optional(),
                "How long to write; with --keys whichever ends first",
                shownDefault: "10s, or as long as --keys take; with --continuous until stopped")
            .Add("--rate", o => o.Rate, Syntax.Number(0.01, 1_000_000, "keys per second"),
                "Keys per second, over all writers, on a fixed schedule")
            .Add("--writers", o => o.Writers, Syntax.SmallCount(1, 64, "connections"),
                "Connections that write, each with its own thread")
            .Add("--value-size", o => o.ValueSize, Syntax.Size(ProbeValue.Length, ReconnectingPipeline.LongestValue),
                "Bytes of each value, its stamps included");
        AddPrefix(catalogue)
            .Add("--expiry", o => o.Expiry, Syntax.Duration(TimeSpan.FromSeconds(1)),
                "How long keys live; nothing else removes them, and nothing is flushed",
                shownDefault: "1m; with --continuous 1h")
            .Rule(["--rate", "--duration", "--keys"],
                o => !o.Continuous.IsWanted && DelayPlan.KeysOf(o) > KeyLedger.Most
                ? "together they ask for more than 10,000,000 keys; each is accounted for in memory"
                : null);
    }

    private static OptionCatalogue<DelayOptions> AddPrefix(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Add("--prefix", o => o.Prefix, Syntax.Text("TEXT", DelayRules.PrefixProblem),
            "What keys begin with; a random number and the key's number follow");

    private static void AddReading(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Group("Reading")
        .Add("--deadline", o => o.Deadline, Syntax.Duration(Shortest, LongestWait),
            "How long to poll for a key after it was sent; then it counts as missing")
        .Add("--poll-interval", o => o.PollInterval, Syntax.Duration(most: TimeSpan.FromSeconds(10)),
            "Time between two polls of the destination; 0 polls without pause");

    private static OptionCatalogue<DelayOptions> AddContinuous(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Include(
            new OptionCatalogue<ContinuousOptions>(Section)
                .Group("Continuous")
                .Add("--continuous", o => o.IsWanted, Syntax.Flag,
                    "Run until stopped: rewrite one key of each shard; with windows, alerts and metrics")
                .Add("--interval", o => o.Interval, Syntax.Duration(Shortest, LongestWait),
                    "Time between two heartbeats of a shard, on a fixed schedule")
                .Add("--window", o => o.Window, Syntax.Duration(TimeSpan.FromSeconds(1), TimeSpan.FromDays(1)),
                    "How long a window is: each has a line, its figures, and its part of the interval log")
                .Add("--on-alert", o => o.OnAlert, Syntax.Choice<OnAlert>(),
                    "When a threshold does not hold: report it and go on, or end with 99")
                .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
                .Rule(["--window", "--interval"], o => o.Window < o.Interval ? "a window must hold a heartbeat" : null),
            o => o.Continuous)
        .Rule(["--continuous"], DelayRules.WrongMode)
        .Rule(["--threshold", "--window", "--interval", "--duration"], DelayRules.UndecidedPercentile);

    private static OptionCatalogue<DelayOptions> AddWait(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Add("--wait-interval", o => o.WaitInterval, Syntax.Duration(most: LongestWait),
            "Time between two WAIT commands, on a connection of their own; 0 sends none");

    private static void AddPeerTimeout(OptionCatalogue<DelayOptions> catalogue, string help) => catalogue
        .Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(Shortest, LongestWait), help);

    private static void AddLinkTimeout(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Add("--link-timeout", o => o.LinkTimeout, Syntax.Duration(Shortest, LongestWait),
            "How long to wait for the first key; after that the servers count as not linked");

    private static void AddRest(OptionCatalogue<DelayOptions> catalogue, bool writes, bool reads)
    {
        catalogue
            .Add("--watch-interval", o => o.WatchInterval, Syntax.Duration(most: LongestWait),
                "Time between two checks of the servers' state (link, resyncs, role, flushes); 0 never checks",
                shownDefault: "200ms; with --continuous 1s")
            .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: LongestWait),
                "How long to try to restore a lost connection before the run ends",
                shownDefault: "30s; with --continuous as long as it runs")
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(
                OutputCatalogue.Create(
                    threshold => ProblemOf(threshold, false) is { } problem && ProblemOf(threshold, true) is { } other
                        ? DelayMetrics.IsAge(threshold) ? other : problem
                        : null,
                    Examples),
                o => o.Output)
            .Rule(["--threshold"], o => o.Output.Thresholds
                .Select(threshold => ProblemOf(threshold, o.Continuous.IsWanted) is { } problem
                    ? $"{threshold.Text}: {problem}"
                    : null)
                .FirstOrDefault(problem => problem is not null));

        string? ProblemOf(Threshold threshold, bool isOfHeartbeats) =>
            DelayMetrics.Problem(threshold, isOfHeartbeats, writes, reads);
    }
}
