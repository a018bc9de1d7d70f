using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

internal sealed class DestinationSide : IDisposable
{
    private readonly DelayPlan _plan;
    private readonly SessionEvents _events;
    private EndFacts? _facts;
    private LoneEnd? _end;

    public DestinationSide(DelayPlan plan, SessionEvents events)
    {
        (_plan, _events) = (plan, events);
        var targets = plan.ResolveTargets(
            plan.Options.Control is { } control ? [.. plan.Options.Destinations, control] : plan.Options.Destinations);
        (Destination, Control) = (targets[0], targets.ElementAtOrDefault(1));
    }

    public ResolvedTarget Destination { get; }
    public ResolvedTarget? Control { get; }

    public LoneEnd End => _end ?? throw NotYet();

    public IReadOnlyList<ResolvedTarget> Targets => Control is null ? [Destination] : [Destination, Control];

    public void Connect(IStopToken stop) => InterruptibleStep.Run(
        () =>
        {
            _facts = EndFacts.Look("--destination", Destination);
            _end = LoneEnd.Open("destination", _facts, _plan.Options.Prefix, _events);
        },
        stop);

    // Disposed of by who searches.
    public WriterSearch Search(Func<IServerPlace, KeyQuestions> here, ILogger logger, ulong? after = null) =>
        new(_plan, End, Control, _facts ?? throw NotYet(), here, logger) { After = after };

    public void Dispose() => _end?.Dispose();

    private static InvalidOperationException NotYet() => new("It is not connected yet.");
}
