using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Options.Values;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Delay;
using RedisLatency.Replication.Heartbeat.Alerts;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>The options of <c>delay heartbeat</c>, each declared once.</summary>
internal static class HeartbeatCatalogue
{
    // So many values must lie above a percentile for it to be told.
    private const decimal SamplesAbove = 10;

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public static OptionCatalogue<HeartbeatOptions> Create()
    {
        var catalogue = new OptionCatalogue<HeartbeatOptions>("Heartbeat").Group("Ends");
        AddEnds(catalogue);
        return catalogue
            .Group("Heartbeats")
            .Add("--interval", o => o.Interval, Syntax.Duration(Shortest, LongestWait),
                "From one heartbeat of a shard to the next, on a schedule that nothing shifts")
            .Add("--duration", o => o.Duration, Syntax.Duration(Shortest).Optional(),
                "How long to go on", shownDefault: "until stopped", alias: "-d")
            .Add("--prefix", o => o.Prefix, Syntax.Text("TEXT", DelayCatalogue.PrefixProblem),
                "What the key of each shard begins with; a random number follows")
            .Add("--expiry", o => o.Expiry, Syntax.Duration(TimeSpan.FromSeconds(1)),
                "How long the keys live when nobody writes them any more: longer than any delay that is to be seen")
            .Add("--poll-interval", o => o.PollInterval, Syntax.Duration(most: TimeSpan.FromSeconds(10)),
                "From one look at the destination to the next, while a heartbeat is on its way; 0 looks again at once")
            .Group("Figures")
            .Add("--window", o => o.Window, Syntax.Duration(TimeSpan.FromSeconds(1), TimeSpan.FromDays(1)),
                "How long a window is: each has a line, its figures, and its part of the interval log")
            .Add("--on-alert", o => o.OnAlert, Syntax.Choice<OnAlert>(),
                "When a threshold does not hold: tell it and go on, or end with 99")
            .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
            .Group("Timing")
            .Add("--link-timeout", o => o.LinkTimeout, Syntax.Duration(Shortest, LongestWait),
                "How long a first key may take; then the two ends are taken for not linked")
            .Add("--watch-interval", o => o.WatchInterval, Syntax.Duration(most: LongestWait),
                "From one look at a server's state (link, resyncs, role, flushes) to the next; 0 never")
            .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration().Optional(),
                "How long to try for a lost connection before it ends", shownDefault: "as long as it runs")
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(OutputCatalogue.Create(HeartbeatMetrics.Problem), o => o.Output)
            .Rule(["--source", "--destination"], o => o.Source is null == o.Destination is null
                ? null
                : "both are needed, or neither for a pair in this process")
            .Rule(["--window", "--interval"], o => o.Window < o.Interval ? "a window must hold a heartbeat" : null)
            .Rule(["--expiry", "--interval"], o => o.Expiry <= o.Interval + o.LinkTimeout
                ? "heartbeats must outlive the time until the next one, and --link-timeout beside"
                : null)
            .Rule(["--threshold", "--window", "--interval", "--duration"], PercentileProblem);
    }

    private static void AddEnds(OptionCatalogue<HeartbeatOptions> catalogue) => catalogue
        .Add("--source", o => o.Source, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
            "The server that heartbeats are written to: redis://, rediss://, unix:, host:port",
            shownDefault: "with no endpoint, a pair in this process", mask: EndpointSyntax.Mask)
        .Add("--destination", o => o.Destination, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
            "The server that they are read from, to which something replicates them", mask: EndpointSyntax.Mask)
        .Add("--source-region", o => o.SourceRegion, Syntax.OptionalText("NAME"),
            "Where the source is: its label in metrics, its row in the table that matrix prints",
            shownDefault: "its endpoint")
        .Add("--destination-region", o => o.DestinationRegion, Syntax.OptionalText("NAME"),
            "Where the destination is", shownDefault: "its endpoint")
        .Include(TargetCatalogue.CreateConnections(), o => o.Target);

    // A threshold that no window could ever decide would never raise an alert.
    private static string? PercentileProblem(HeartbeatOptions options)
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
}
