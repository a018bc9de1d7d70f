using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

internal sealed class DestinationChoice
{
    private readonly DelayOptions _options;
    private readonly List<string> _notes = [];
    private RunRefusedException? _refusal;

    public DestinationChoice(
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

    private ReadingKind Decide(IReadOnlyList<ResolvedTarget> servers)
    {
        try
        {
            return PushChoice.Decide(_options.Reading, servers, _options.Prefix);
        }
        catch (RunRefusedException refusal) when (
            _options.Destinations.Count > 1)
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
}
