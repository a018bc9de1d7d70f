using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Rendezvous;

internal sealed class DestinationSide(DelayPlan plan, SessionEvents events) : IDisposable
{
    private NodeFacts? _facts;
    private ReachedNodes? _end;

    // The last is what clocks are asked through, where it is given.
    public IReadOnlyList<ResolvedTarget> Targets { get; } = plan.ResolveTargets(
        plan.Options.Control is { } control ? [.. plan.Options.Destinations, control] : plan.Options.Destinations);

    public ResolvedTarget Destination => Targets[0];

    public ResolvedTarget? Control => Targets.ElementAtOrDefault(1);

    public void Connect(IStopToken stop) => InterruptibleStep.Run(
        () =>
        {
            _facts = NodeFacts.Read("--destination", Destination);
            _end = ReachedNodes.Open("destination", _facts, plan.Options.Prefix, events);
        },
        stop);

    // Null where the run was stopped before a writer was found.
    public MetWriter? Meet(TimeSpan limit, IStopToken stop, ILogger logger)
    {
        using var search = Search(limit, stop, logger);
        return search.Find(stop)
            ? new MetWriter(
                search.Announced, search.Places,
                new SettledClock(search.TakeClock(), plan.IsContinuous ? events : null))
            : null;
    }

    // Disposed of by who searches.
    public WriterSearch Search(TimeSpan limit, IStopToken stop, ILogger logger, ulong? after = null) =>
        new(plan, Connected(_end), Control, Connected(_facts), OpenQuestions(limit, stop), logger) { After = after };

    // To the key that announces the writer.
    public KeyQuestions OpenQuestions(TimeSpan limit, IStopToken stop) =>
        new(Connected(_end).PlaceOf(Announcement.KeyOf(plan)), limit, stop);

    public void Dispose() => _end?.Dispose();

    private static T Connected<T>(T? known) => known ?? throw new InvalidOperationException("It is not connected yet.");
}
