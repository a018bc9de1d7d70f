using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Lanes;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Shards;
using RedisLatency.Replication.Sides;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Probe;

internal static class DelayCatalogue
{
    internal const string SharedSlotsHelp =
        "How the reader's end, a cluster, shares out its slots: in so many equal ranges, or the slots of each shard "
        + "(0-8191,8192-16383; ranges of one are joined by +). Keys then go to every pair of shards that share slots";

    private const int LongestRegion = 64;

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    internal static ValueSyntax<string?> SharedSlots { get; } = Syntax.OptionalText("SLOTS", SlotSharing.Problem);

    public static OptionCatalogue<DelayOptions> CreateRun()
    {
        var catalogue = new OptionCatalogue<DelayOptions>("Delay")
            .Group("Ends")
            .Add("--source", o => o.Source, Syntax.OptionalText("ENDPOINT", EndpointSyntax.ProblemUnlessInProcess),
                "The server or cluster that keys are written to: redis://, rediss://, redis+cluster://, unix:, "
                + "host:port; in-process for a pair in this process",
                shownDefault: "with no endpoint, a pair in this process", mask: EndpointSyntax.Mask)
            .AddList("--destination", o => o.Destinations, Syntax.Text("ENDPOINT", EndpointSyntax.Problem),
                "A server or cluster that they are read from, to which something replicates them; several are read "
                + "at once",
                mask: EndpointSyntax.Mask)
            .Add("--source-region", o => o.SourceRegion, Syntax.OptionalText("NAME", RegionProblem),
                "Where the source is: its row in the table that matrix prints", shownDefault: "its endpoint")
            .AddList("--destination-region", o => o.DestinationRegions, Syntax.Text("NAME", RegionProblem),
                "Where the destination is; one for each, in their order", shownDefault: "its endpoint")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target);
        AddWriting(catalogue);
        AddReading(catalogue);
        AddWait(catalogue);
        catalogue
            .Add("--each-key", o => o.EachKey, Syntax.Flag,
                "Also write keys.csv to the results folder: what became of each key, and its stamps")
            .Group("Timing")
            .Add("--warmup", o => o.WarmUp, Syntax.Duration(most: LongestWait),
                "How long to write and read before it counts", key: "WarmUp")
            .Add("--link-timeout", o => o.LinkTimeout, Syntax.Duration(Shortest, LongestWait),
                "How long a first key may take; then the two ends are taken for not linked");
        AddRest(catalogue, DelayMetrics.Problem);
        return catalogue
            .Rule(["--threshold", "--source"], o => OutputCatalogue.TargetProblem(o.Output, o.Source is not null, "--source"))
            .Rule(["--source", "--destination"], o => LinkedEnds.AreInProcess(o.Source) == (o.Destinations.Count == 0)
                ? null
                : "both are needed, or neither for a pair in this process")
            .Rule(["--destination"], o => DestinationRules.Repeated(o))
            .Rule(["--destination-region", "--destination"], o => DestinationRules.Regions(o))
            .Rule(["--threshold", "--destination", "--destination-region"], o => DestinationRules.Thresholds(o))
            .Rule(["--reading", "--destination"], o => o.Reading != ReadingKind.Polling && o.Destinations.Count == 0
                ? "the pair in this process is read by polling; give both ends"
                : null)
            .Rule(["--expiry", "--deadline"], o => o.Expiry < o.Deadline + o.LinkTimeout
                ? "keys must outlive the time that they are looked for, and --link-timeout beside"
                : null);
    }

    public static OptionCatalogue<DelayOptions> CreateWrite()
    {
        var catalogue = new OptionCatalogue<DelayOptions>("Delay")
            .Group("Ends")
            .Add("--source", o => o.Source, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server or cluster that keys are written to: redis://, rediss://, redis+cluster://, unix:, host:port",
                shownDefault: "needed", mask: EndpointSyntax.Mask)
            .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server through which the reader may ask for this clock's time",
                shownDefault: "the source", mask: EndpointSyntax.Mask)
            .Add("--probe", o => o.Probe, Syntax.OptionalText("udp://ADDRESS:PORT", ProbeProblem),
                "Where the reader may ask for it over UDP, besides: an address of this machine", shownDefault: "nowhere")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target);
        AddWriting(catalogue);
        catalogue
            .Add("--shards", o => o.Shards, SharedSlots, SharedSlotsHelp, shownDefault: "as the source does")
            .Add("--publish", o => o.Publish, Syntax.Flag,
                "Publish messages, which the link replicates too, instead of writing keys; for delay read --reading publish")
            .Group("Timing");
        AddWait(catalogue);
        AddPeers(catalogue, "How long to wait for a reader to ask for this clock's time");
        AddRest(catalogue, DelayMetrics.ProblemOfTheWriter);
        return catalogue.Rule(["--source"], o => o.Source is null ? "a server to write to is needed" : null);
    }

    public static OptionCatalogue<DelayOptions> CreateRead()
    {
        var catalogue = new OptionCatalogue<DelayOptions>("Delay")
            .Group("Ends")
            .Add("--destination", o => o.Destination, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server or cluster that keys are read from, to which something replicates them",
                shownDefault: "needed", mask: EndpointSyntax.Mask)
            .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server through which the writer's clock is asked: what the writer has there, mostly its source",
                mask: EndpointSyntax.Mask)
            .Add("--probe", o => o.Probe, Syntax.OptionalText("udp://HOST:PORT", ProbeProblem),
                "Where it is asked over UDP", shownDefault: "where the writer says, if it does")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target)
            .Group("Keys");
        AddPrefix(catalogue);
        AddReading(catalogue);
        catalogue
            .Add("--no-claims", o => o.NoClaims, Syntax.Flag,
                "Do not use that both processes say that they read one clock: probes alone")
            .Group("Timing");
        AddPeers(catalogue, "How long to wait for the writer to announce itself, to answer, and to begin");
        AddRest(catalogue, DelayMetrics.ProblemOfTheReader);
        return catalogue.Rule(["--destination"], o => o.Destination is null ? "a server to read from is needed" : null);
    }

    private static void AddWriting(OptionCatalogue<DelayOptions> catalogue)
    {
        catalogue
            .Group("Keys")
            .Add("--keys", o => o.Keys, Syntax.Count(1, KeyLedger.Most, "keys").Optional(),
                "How many keys to write", shownDefault: "as many as --duration takes", alias: "-n")
            .Add("--duration", o => o.Duration, Syntax.Duration(Shortest).Optional(),
                "How long to write; with --keys whichever ends first",
                shownDefault: "10s, or as long as --keys take", alias: "-d")
            .Add("--rate", o => o.Rate, Syntax.Number(0.01, 1_000_000, "keys per second"),
                "Over all writers, on a schedule that nothing shifts")
            .Add("--writers", o => o.Writers, Syntax.SmallCount(1, 64, "connections"),
                "Connections that write, each with its own thread")
            .Add("--value-size", o => o.ValueSize, Syntax.Size(ProbeValue.Length, ProbeValue.MaxLength),
                "Bytes of each value, its stamps included");
        AddPrefix(catalogue);
        catalogue
            .Add("--expiry", o => o.Expiry, Syntax.Duration(TimeSpan.FromSeconds(1)),
                "How long keys live; nothing else removes them, and nothing is flushed")
            .Rule(["--rate", "--duration", "--keys"], o => DelayPlan.KeysOf(o) > KeyLedger.Most
                ? "together they ask for more than 10,000,000 keys; each is accounted for in memory"
                : null);
    }

    private static void AddPrefix(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Add("--prefix", o => o.Prefix, Syntax.Text("TEXT", PrefixProblem),
            "What keys begin with; a random number and the key's own follow");

    private static void AddReading(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Group("Reading")
        .Add("--deadline", o => o.Deadline, Syntax.Duration(Shortest, LongestWait),
            "How long after it was sent a key is looked for; then it is missing")
        .Add("--poll-interval", o => o.PollInterval, Syntax.Duration(most: TimeSpan.FromSeconds(10)),
            "From one look at the destination to the next; 0 looks again at once")
        .Add("--reading", o => o.Reading, Syntax.Choice<ReadingKind>(),
            "How it is known that a key is there: asked for, or told of by the destination (push is the one of "
            + "tracking and notifications that it allows), or, with publish, by messages instead of keys");

    private static void AddPeers(OptionCatalogue<DelayOptions> catalogue, string help) => catalogue
        .Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(Shortest, LongestWait), help);

    private static void AddWait(OptionCatalogue<DelayOptions> catalogue) => catalogue
        .Add("--wait-interval", o => o.WaitInterval, Syntax.Duration(most: LongestWait),
            "From one WAIT for a replica's acknowledgement, on a connection of its own, to the next; 0 never");

    private static void AddRest(OptionCatalogue<DelayOptions> catalogue, Func<Threshold, string?> problem) => catalogue
        .Add("--watch-interval", o => o.WatchInterval, Syntax.Duration(most: LongestWait),
            "From one look at a server's state (link, resyncs, role, flushes) to the next; 0 never")
        .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: LongestWait),
            "How long to try for a lost connection before the run ends")
        .Include(IdentityCatalogue.Create(), o => o.Identity)
        .Include(OutputCatalogue.Create(problem, "'delay.p99<150ms' or 'missing==0'"), o => o.Output);

    internal static string? ProbeProblem(string text) =>
        ProbeAddress.Parse(text) is null ? "udp://HOST:PORT is needed, for instance udp://10.0.0.5:7100" : null;

    internal static string? PrefixProblem(string text) =>
        text.Any(c => c is < '!' or > '~') ? "printable ASCII without blanks is needed"
        : text.Length > 100 ? "at most 100 characters"
        : null;

    internal static string? RegionProblem(string text) =>
        text.Any(char.IsControl) || text.Trim().Length < text.Length
            ? "text without line breaks, and no blanks around it, is needed"
        : text.Length > LongestRegion ? $"at most {LongestRegion} characters"
        : null;
}
