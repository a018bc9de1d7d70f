using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Shards;

internal sealed class DestinationChoice
{
    private readonly DelayOptions _options;
    private readonly List<string> _notes = [];
    private RunRefusedException? _refusal;

    private DestinationChoice(
        IReadOnlyList<ResolvedTarget> targets, IReadOnlyList<KeyWay> ways, DelayOptions options)
    {
        _options = options;
        Destinations =
        [
            .. targets.Select((target, number) => new ReadDestination(
                number, target, options.DestinationRegions.ElementAtOrDefault(number),
                Decide(
                [
                    .. ways.Where(way => way.DestinationNumber == number)
                        .Select(way => way.Destination.Require()),
                ]))),
        ];
        // Polling is what some of them are left with, never what everybody gets who asked for pushes.
        if (_notes.Count == targets.Count)
            throw _refusal!;
    }

    public IReadOnlyList<ReadDestination> Destinations { get; }

    public IReadOnlyList<string> Notes => _notes;

    public static DestinationChoice Decide(
        IReadOnlyList<ResolvedTarget> targets, IReadOnlyList<KeyWay> ways, DelayOptions options) =>
        new(targets, ways, options);

    private ReadingKind Decide(IReadOnlyList<ResolvedTarget> servers)
    {
        try
        {
            return PushChoice.Decide(_options.Reading, servers, _options.Prefix);
        }
        catch (RunRefusedException refusal) when (
            _options.Reading == ReadingKind.Push && _options.Destinations.Count > 1)
        {
            _refusal = refusal;
            _notes.Add($"{refusal.Message} It is polled.");
            return ReadingKind.Polling;
        }
    }
}

internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region, ReadingKind Reading)
{
    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";

    public bool Is(string name) => name == Region || name == Target.Name;
}

/// <summary>What several destinations, their regions and thresholds on them must be together.</summary>
internal static class DestinationRules
{
    public static string? Repeated(DelayOptions options) => AddressesOf(options)
        .GroupBy(address => address, StringComparer.OrdinalIgnoreCase)
        .FirstOrDefault(same => same.Count() > 1) is { } twice
            ? $"{twice.Key} is there {(twice.Count() == 2 ? "twice" : $"{twice.Count()} times")}"
            : null;

    public static string? Regions(DelayOptions options)
    {
        var (regions, destinations) = (options.DestinationRegions.Count, Math.Max(1, options.Destinations.Count));
        return regions == 0 || regions == destinations
            ? null
            : $"there are {regions} regions and {destinations} destinations; give one for each, in the same order, or "
                + "none";
    }

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
