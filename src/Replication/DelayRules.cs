using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication;

/// <summary>What options of a delay measurement must hold together.</summary>
internal static class DelayRules
{
    // So many values must lie above a percentile for it to be known.
    private const decimal SamplesAbove = 10;
    private const int LongestRegion = 64;

    private static readonly DelayOptions Defaults = new();

    private static readonly (string Name, Func<DelayOptions, object?> Value)[] OfKeys =
    [
        ("--keys", o => o.Keys), ("--rate", o => o.Rate), ("--writers", o => o.Writers),
        ("--value-size", o => o.ValueSize),
        ("--deadline", o => o.Deadline), ("--each-key", o => o.EachKey),
        ("--warmup", o => o.WarmUp), ("--wait-interval", o => o.WaitInterval),
        ("a second --destination", o => o.Destinations.Count > 1),
    ];

    private static readonly (string Name, Func<DelayOptions, object?> Value)[] OfHeartbeats =
    [
        ("--interval", o => o.Continuous.Interval), ("--window", o => o.Continuous.Window),
        ("--on-alert", o => o.Continuous.OnAlert), ("--metrics", o => o.Continuous.Telemetry.Metrics),
        ("--otlp", o => o.Continuous.Telemetry.Otlp),
    ];

    public static string? WrongMode(DelayOptions options)
    {
        var given = string.Join(" and ", (options.Continuous.IsWanted ? OfKeys : OfHeartbeats)
            .Where(option => !Equals(option.Value(options), option.Value(Defaults))).Select(option => option.Name));
        return given.Length == 0 ? null
            : options.Continuous.IsWanted ? $"leave out {given}: one key of each shard is rewritten"
            : $"needed for {given}";
    }

    // A threshold that no window could ever decide would never raise an alert.
    public static string? UndecidedPercentile(DelayOptions options)
    {
        if (!options.Continuous.IsWanted)
            return null;
        var (interval, window) = (options.Continuous.Interval, options.Continuous.Window);
        var heartbeats = (long)((options.Duration is { } duration && duration < window ? duration : window) / interval);
        foreach (var threshold in options.Output.Thresholds)
        {
            if (!DelayMetrics.IsOfDurations(threshold) || threshold.Statistic?.Percentile is not { } percentile)
                continue;
            var needed = (long)Math.Ceiling(SamplesAbove * 100 / (100 - (decimal)percentile));
            if (heartbeats < needed)
            {
                return $"{threshold.Text} takes {Quantity.Count(needed)} heartbeats a window, which has "
                    + $"{Quantity.Count(heartbeats)}; a longer window, a shorter interval, or max instead";
            }
        }

        return null;
    }

    public static string? RepeatedDestination(DelayOptions options) => AddressesOf(options)
        .GroupBy(address => address, StringComparer.OrdinalIgnoreCase)
        .FirstOrDefault(same => same.Count() > 1) is { } twice
            ? $"{twice.Key} is there {(twice.Count() == 2 ? "twice" : $"{twice.Count()} times")}"
            : null;

    public static string? UnevenRegions(DelayOptions options)
    {
        var (regions, destinations) = (options.DestinationRegions.Count, Math.Max(1, options.Destinations.Count));
        return regions == 0 || regions == destinations
            ? null
            : $"there are {regions} regions and {destinations} destinations; give one for each, in the same order, or "
                + "none";
    }

    public static string? UnknownDestination(DelayOptions options)
    {
        List<string> known = [.. options.DestinationRegions, .. AddressesOf(options)];
        return options.Output.Thresholds.FirstOrDefault(
            threshold => threshold.Scope is { } scope && !known.Contains(scope.Name)) is { } unknown
            ? $"{unknown.Text}: no destination is called {unknown.Scope!.Name}"
                + (known.Count == 0 ? string.Empty : $" (known: {string.Join(", ", known)})")
            : null;
    }

    public static string? ShortExpiry(DelayOptions options) =>
        !options.Continuous.IsWanted && options.Expiry < options.Deadline + options.LinkTimeout
            ? "keys must outlive the time that they are polled for, and --link-timeout beside"
            : null;

    public static string? ProbeProblem(string text) =>
        ProbeAddress.Parse(text) is null ? "udp://HOST:PORT is needed, for instance udp://10.0.0.5:7100" : null;

    public static string? PrefixProblem(string text) =>
        text.Any(c => c is < '!' or > '~') ? "printable ASCII without blanks is needed"
        : text.Length > 100 ? "at most 100 characters"
        : null;

    // It becomes a cell of tables and a label.
    public static string? RegionProblem(string text) =>
        text.Any(char.IsControl) || text.Trim().Length < text.Length
            ? "text without line breaks, and no blanks around it, is needed"
        : text.Length > LongestRegion ? $"at most {LongestRegion} characters"
        : null;

    private static IEnumerable<string> AddressesOf(DelayOptions options) =>
        options.Destinations.Select(text => RedisEndpoint.Parse(text).Address);
}
