using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Shards;

/// <summary>What several destinations, their regions and thresholds on them must be together.</summary>
internal static class DestinationRules
{
    /// <summary>What is wrong with the endpoints, or null.</summary>
    public static string? Repeated(DelayOptions options) => AddressesOf(options)
        .GroupBy(address => address, StringComparer.OrdinalIgnoreCase).FirstOrDefault(same => same.Count() > 1) is { } twice
            ? $"{twice.Key} is there {(twice.Count() == 2 ? "twice" : $"{twice.Count()} times")}"
            : null;

    /// <summary>What is wrong with the regions, or null.</summary>
    public static string? Regions(DelayOptions options)
    {
        var (regions, destinations) = (options.DestinationRegions.Count, Math.Max(1, options.Destinations.Count));
        return regions == 0 || regions == destinations
            ? null
            : $"there are {regions} regions and {destinations} destinations; give one for each, in the same order, or none";
    }

    /// <summary>What is wrong with the destinations that thresholds name, or null.</summary>
    public static string? Thresholds(DelayOptions options)
    {
        List<string> known = [.. options.DestinationRegions, .. AddressesOf(options)];
        return options.Output.Thresholds.FirstOrDefault(
            threshold => threshold.Scope is { } scope && !known.Contains(scope.Name)) is { } unknown
            ? $"{unknown.Text}: no destination is called {unknown.Scope!.Name}"
                + (known.Count == 0 ? string.Empty : $" (known: {string.Join(", ", known)})")
            : null;
    }

    private static IEnumerable<string> AddressesOf(DelayOptions options) =>
        options.Destinations.Select(text => RedisEndpoint.Parse(text).Address);
}
