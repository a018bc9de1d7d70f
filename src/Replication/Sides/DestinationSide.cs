using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

internal sealed class DestinationSide(DelayPlan plan, SessionEvents events) : IDisposable
{
    private ResolvedTarget? _destination;
    private EndFacts? _facts;
    private LoneEnd? _end;

    public ResolvedTarget Destination => _destination ?? throw NotYet();

    public ResolvedTarget? Control { get; private set; }

    public LoneEnd End => _end ?? throw NotYet();

    public IReadOnlyList<ResolvedTarget> Targets => Control is null ? [Destination] : [Destination, Control];

    public void Resolve()
    {
        var targets = plan.ResolveTargets(
            plan.Options.Control is { } control ? [.. plan.Options.Destinations, control] : plan.Options.Destinations);
        (_destination, Control) = (targets[0], targets.ElementAtOrDefault(1));
    }

    public void Connect(IStopToken stop) => InterruptibleStep.Run(
        () =>
        {
            _facts = EndFacts.Look("--destination", Destination);
            _end = LoneEnd.Open("destination", _facts, plan.Options.Prefix, events);
        },
        stop);

    // Disposed of by who searches.
    public WriterSearch Search(Func<IServerPlace, KeyQuestions> here, ILogger logger, ulong? after = null) =>
        new(plan, End, Control, _facts ?? throw NotYet(), here, logger) { After = after };

    public void Dispose() => _end?.Dispose();

    private static InvalidOperationException NotYet() => new("The destination is not resolved yet.");
}
