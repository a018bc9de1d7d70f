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

    public ReachedNodes End => _end ?? throw NotYet();

    public void Connect(IStopToken stop) => InterruptibleStep.Run(
        () =>
        {
            _facts = NodeFacts.Read("--destination", Destination);
            _end = ReachedNodes.Open("destination", _facts, plan.Options.Prefix, events);
        },
        stop);

    // Disposed of by who searches.
    public WriterSearch Search(Func<IServerLocator, KeyQuestions> here, ILogger logger, ulong? after = null) =>
        new(plan, End, Control, _facts ?? throw NotYet(), here, logger) { After = after };

    public void Dispose() => _end?.Dispose();

    private static InvalidOperationException NotYet() => new("It is not connected yet.");
}
