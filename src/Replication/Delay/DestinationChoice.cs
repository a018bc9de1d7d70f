using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reading.Pushes;

namespace RedisLatency.Replication.Delay;

/// <summary>The destinations, and how each of them is read.</summary>
internal sealed class DestinationChoice
{
    private readonly DelayOptions _options;
    private readonly List<string> _notes = [];

    private DestinationChoice(DelayOptions options) => _options = options;

    /// <summary>The destinations, in the order in which they were given.</summary>
    public IReadOnlyList<ReadDestination> Destinations { get; private set; } = [];

    /// <summary>Which of them are read otherwise than the others, and why.</summary>
    public IReadOnlyList<string> Notes => _notes;

    /// <summary>All of them are polled.</summary>
    public static DestinationChoice Polling(IReadOnlyList<ResolvedTarget> targets, DelayOptions options)
    {
        var choice = new DestinationChoice(options);
        choice.Take(targets, _ => ReadingKind.Polling);
        return choice;
    }

    /// <summary>Asks each of them what it allows.</summary>
    /// <exception cref="RunRefusedException">What is wanted is not allowed: by one, or with push by none.</exception>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public static DestinationChoice Decide(IReadOnlyList<ResolvedTarget> targets, DelayOptions options)
    {
        var choice = new DestinationChoice(options);
        choice.Take(targets, choice.Decide);
        // Polling is what some of them are left with, never what everybody gets who asked for pushes.
        if (choice._notes.Count == targets.Count)
            PushChoice.Decide(options.Reading, targets[0], options.Prefix);
        return choice;
    }

    private void Take(IReadOnlyList<ResolvedTarget> targets, Func<ResolvedTarget, ReadingKind> decide) => Destinations =
    [
        .. targets.Select((target, number) => new ReadDestination(
            number, target, _options.DestinationRegions.ElementAtOrDefault(number), decide(target))),
    ];

    private ReadingKind Decide(ResolvedTarget target)
    {
        try
        {
            return PushChoice.Decide(_options.Reading, target, _options.Prefix);
        }
        catch (RunRefusedException refusal) when (_options.Reading == ReadingKind.Push && _options.Destinations.Count > 1)
        {
            _notes.Add($"{refusal.Message} It is polled.");
            return ReadingKind.Polling;
        }
    }
}
