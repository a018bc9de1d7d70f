using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Sides;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Probe;

internal static class HeartbeatCatalogue
{
    // So many values must lie above a percentile for it to be told.
    private const decimal SamplesAbove = 10;

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public static OptionCatalogue<HeartbeatOptions> Create()
    {
        var catalogue = Ends();
        AddSource(catalogue, "with no endpoint, a pair in this process", EndpointSyntax.ProblemUnlessInProcess);
        AddDestination(catalogue, shownDefault: null);
        catalogue
            .Add("--source-region", o => o.SourceRegion, Syntax.OptionalText("NAME", DelayCatalogue.RegionProblem),
                "Where the source is: its label in metrics, its row in the table that matrix prints",
                shownDefault: "its endpoint")
            .Add("--destination-region", o => o.DestinationRegion, Syntax.OptionalText("NAME", DelayCatalogue.RegionProblem),
                "Where the destination is", shownDefault: "its endpoint")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target)
            .Group("Heartbeats");
        AddWriting(catalogue);
        AddReading(catalogue);
        AddFigures(catalogue);
        catalogue.Add("--link-timeout", o => o.LinkTimeout, Syntax.Duration(Shortest, LongestWait),
            "How long a first key may take; then the two ends are taken for not linked");
        AddRest(catalogue, HeartbeatMetrics.Problem);
        return catalogue
            .Rule(["--threshold", "--source"], o => OutputCatalogue.TargetProblem(o.Output, o.Source is not null, "--source"))
            .Rule(["--source", "--destination"], o => LinkedEnds.AreInProcess(o.Source) == o.Destination is null
                ? null
                : "both are needed, or neither for a pair in this process; where another process reads or writes, "
                    + "delay heartbeat write or delay heartbeat read")
            .Rule(["--window", "--interval"], WindowProblem)
            .Rule(["--expiry", "--interval"], o => o.Expiry <= o.Interval + o.LinkTimeout
                ? "heartbeats must outlive the time until the next one, and --link-timeout beside"
                : null)
            .Rule(["--threshold", "--window", "--interval", "--duration"], PercentileProblem);
    }

    public static OptionCatalogue<HeartbeatOptions> CreateWrite()
    {
        var catalogue = Ends();
        AddSource(catalogue, "needed");
        catalogue
            .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server through which readers may ask for this clock's time",
                shownDefault: "the source", mask: EndpointSyntax.Mask)
            .Add("--probe", o => o.Probe, Syntax.OptionalText("udp://ADDRESS:PORT", DelayCatalogue.ProbeProblem),
                "Where readers may ask for it over UDP, besides: an address of this machine", shownDefault: "nowhere")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target)
            .Group("Heartbeats");
        AddWriting(catalogue);
        catalogue.Add("--shards", o => o.Shards, DelayCatalogue.SharedSlots, DelayCatalogue.SharedSlotsHelp,
            shownDefault: "as the source does");
        AddFigures(catalogue);
        AddRest(catalogue, HeartbeatMetrics.WriterProblem);
        return catalogue
            .Rule(["--source"], o => o.Source is null ? "a server to write to is needed" : null)
            .Rule(["--window", "--interval"], WindowProblem)
            .Rule(["--expiry", "--interval"], o => o.Expiry <= o.Interval
                ? "heartbeats must outlive the time until the next one"
                : null)
            .Rule(["--threshold", "--window", "--interval", "--duration"], PercentileProblem);
    }

    public static OptionCatalogue<HeartbeatOptions> CreateRead()
    {
        var catalogue = Ends();
        AddDestination(catalogue, "needed");
        catalogue
            .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server through which the writer's clock is asked: what the writer has there, mostly its source",
                mask: EndpointSyntax.Mask)
            .Add("--probe", o => o.Probe, Syntax.OptionalText("udp://HOST:PORT", DelayCatalogue.ProbeProblem),
                "Where it is asked over UDP", shownDefault: "where the writer says, if it does")
            .Include(TargetCatalogue.CreateConnections(), o => o.Target)
            .Group("Heartbeats");
        AddDuration(catalogue);
        AddPrefix(catalogue);
        AddReading(catalogue);
        catalogue.Add("--no-claims", o => o.NoClaims, Syntax.Flag,
            "Do not use that both processes say that they read one clock: probes alone");
        AddFigures(catalogue);
        catalogue.Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(Shortest, LongestWait),
            "How long to wait for the writer to announce itself, and to answer, before it begins");
        AddRest(catalogue, HeartbeatMetrics.ReaderProblem);
        return catalogue.Rule(["--destination"], o => o.Destination is null ? "a server to read from is needed" : null);
    }

    // A threshold that no window could ever decide would never raise an alert: what it takes; else null.
    public static string? PercentileProblem(HeartbeatOptions options)
    {
        var window = options.Duration is { } duration && duration < options.Window ? duration : options.Window;
        var beats = (long)(window / options.Interval);
        foreach (var threshold in options.Output.Thresholds)
        {
            if (!HeartbeatMetrics.IsOfHeartbeats(threshold) || threshold.Statistic?.Percentile is not { } percentile)
                continue;
            var needed = (long)Math.Ceiling(SamplesAbove * 100 / (100 - (decimal)percentile));
            if (beats < needed)
            {
                return FormattableString.Invariant($"{threshold.Text} takes {needed:N0} heartbeats a window, which has ")
                    + FormattableString.Invariant($"{beats:N0}; a longer window, a shorter interval, or max instead");
            }
        }

        return null;
    }

    private static OptionCatalogue<HeartbeatOptions> Ends() => new OptionCatalogue<HeartbeatOptions>("Heartbeat").Group("Ends");

    private static void AddSource(
        OptionCatalogue<HeartbeatOptions> catalogue, string shownDefault, Func<string, string?>? problem = null) => catalogue
        .Add("--source", o => o.Source, Syntax.OptionalText("ENDPOINT", problem ?? EndpointSyntax.Problem),
            "The server that heartbeats are written to: redis://, rediss://, unix:, host:port",
            shownDefault: shownDefault, mask: EndpointSyntax.Mask);

    private static void AddDestination(OptionCatalogue<HeartbeatOptions> catalogue, string? shownDefault) => catalogue
        .Add("--destination", o => o.Destination, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
            "The server that they are read from, to which something replicates them",
            shownDefault: shownDefault, mask: EndpointSyntax.Mask);

    private static void AddWriting(OptionCatalogue<HeartbeatOptions> catalogue)
    {
        catalogue.Add("--interval", o => o.Interval, Syntax.Duration(Shortest, LongestWait),
            "From one heartbeat of a shard to the next, on a schedule that nothing shifts");
        AddDuration(catalogue);
        AddPrefix(catalogue);
        catalogue.Add("--expiry", o => o.Expiry, Syntax.Duration(TimeSpan.FromSeconds(1)),
            "How long the keys live when nobody writes them any more: longer than any delay that is to be seen");
    }

    private static void AddDuration(OptionCatalogue<HeartbeatOptions> catalogue)
    {
        catalogue.Add("--duration", o => o.Duration, Syntax.Duration(Shortest).Optional(),
            "How long to go on", shownDefault: "until stopped", alias: "-d");
    }

    private static void AddPrefix(OptionCatalogue<HeartbeatOptions> catalogue) => catalogue
        .Add("--prefix", o => o.Prefix, Syntax.Text("TEXT", DelayCatalogue.PrefixProblem),
            "What the key of each shard begins with; a random number follows");

    private static void AddReading(OptionCatalogue<HeartbeatOptions> catalogue) => catalogue
        .Add("--poll-interval", o => o.PollInterval, Syntax.Duration(most: TimeSpan.FromSeconds(10)),
            "From one look at the destination to the next, while a heartbeat is on its way; 0 looks again at once");

    private static void AddFigures(OptionCatalogue<HeartbeatOptions> catalogue) => catalogue
        .Group("Figures")
        .Add("--window", o => o.Window, Syntax.Duration(TimeSpan.FromSeconds(1), TimeSpan.FromDays(1)),
            "How long a window is: each has a line, its figures, and its part of the interval log")
        .Add("--on-alert", o => o.OnAlert, Syntax.Choice<OnAlert>(),
            "When a threshold does not hold: tell it and go on, or end with 99")
        .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
        .Group("Timing");

    private static void AddRest(OptionCatalogue<HeartbeatOptions> catalogue, Func<Threshold, string?> problem) => catalogue
        .Add("--watch-interval", o => o.WatchInterval, Syntax.Duration(most: LongestWait),
            "From one look at a server's state (link, resyncs, role, flushes) to the next; 0 never")
        .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration().Optional(),
            "How long to try for a lost connection before it ends", shownDefault: "as long as it runs")
        .Include(IdentityCatalogue.Create(), o => o.Identity)
        .Include(OutputCatalogue.Create(problem, "'age<5s' or 'delay.p99<150ms'"), o => o.Output);

    private static string? WindowProblem(HeartbeatOptions options) =>
        options.Window < options.Interval ? "a window must hold a heartbeat" : null;
}
