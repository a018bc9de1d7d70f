using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Shards;

/// <summary>The destinations, and how each of them is read.</summary>
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
                Decide([.. ways.Where(way => way.DestinationNumber == number).Select(way => way.Destination.Require())]))),
        ];
        // Polling is what some of them are left with, never what everybody gets who asked for pushes.
        if (_notes.Count == targets.Count)
            throw _refusal!;
    }

    /// <summary>The destinations, in the order in which they were given.</summary>
    public IReadOnlyList<ReadDestination> Destinations { get; }

    /// <summary>Which of them are read otherwise than the others, and why.</summary>
    public IReadOnlyList<string> Notes => _notes;

    /// <summary>Asks each of them what it allows.</summary>
    /// <param name="targets">The destinations, as they were given.</param>
    /// <param name="ways">The ways to their servers.</param>
    /// <param name="options">What is wanted.</param>
    /// <exception cref="RunRefusedException">What is wanted is not allowed: by one, or with push by none.</exception>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public static DestinationChoice Decide(
        IReadOnlyList<ResolvedTarget> targets, IReadOnlyList<KeyWay> ways, DelayOptions options) =>
        new(targets, ways, options);

    private ReadingKind Decide(IReadOnlyList<ResolvedTarget> servers)
    {
        try
        {
            return PushChoice.Decide(_options.Reading, servers, _options.Prefix);
        }
        catch (RunRefusedException refusal) when (_options.Reading == ReadingKind.Push && _options.Destinations.Count > 1)
        {
            _refusal = refusal;
            _notes.Add($"{refusal.Message} It is polled.");
            return ReadingKind.Polling;
        }
    }
}

/// <summary>Where keys are read, and how.</summary>
/// <param name="Number">Its place among all destinations, from 0.</param>
/// <param name="Target">The server, or any node of a cluster.</param>
/// <param name="Region">Where it is; null where that was not said.</param>
/// <param name="Reading">How it is known that keys are there, as it was decided.</param>
internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region, ReadingKind Reading)
{
    /// <summary>What events and reasons call it among others.</summary>
    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";

    /// <summary>Whether somebody means it by this name.</summary>
    /// <param name="name">A region, or an address.</param>
    public bool Is(string name) => name == Region || name == Target.Name;
}
