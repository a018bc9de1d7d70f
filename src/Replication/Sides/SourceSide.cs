using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

/// <summary>The source of a process that writes for readers elsewhere, which may ask its clock.</summary>
internal sealed class SourceSide : IDisposable
{
    private readonly DelayPlan _plan;
    private readonly SessionEvents _events;
    private WritingPlaces? _places;
    private IReadOnlyList<EndFacts> _facts = [];

    public SourceSide(DelayPlan plan, SessionEvents events)
    {
        (_plan, _events) = (plan, events);
        var source = plan.Options.Source ?? throw new InvalidOperationException("There is no source.");
        var targets = plan.ResolveTargets([source, plan.Options.Control ?? source]);
        (Source, Control) = (targets[0], targets[1]);
    }

    public ResolvedTarget Source { get; }
    public ResolvedTarget Control { get; }

    public WritingPlaces Places => _places ?? throw new InvalidOperationException("It is not connected yet.");

    public OwnClock? Clock { get; private set; }

    public void Connect(IStopToken stop) => InterruptibleStep.Run(
        () =>
        {
            var facts = EndFacts.Look("--source", Source);
            // Any node stands for its cluster.
            if (!facts.IsInCluster)
                facts.RequireSource();
            _places = WritingPlaces.Find(facts, _plan.Options, _events);
            _facts = [.. _places.Places.Select(place => EndFacts.Look("--source", place.Require()))];
        },
        stop);

    // Answers readers of a session from now on, and can announce it to them.
    public Announcer Answer(ulong session, int writers)
    {
        Clock = new OwnClock(
            session, _plan.Run, _plan.Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, Control);
        return new Announcer(_plan, Places, session, writers, Clock, Source);
    }

    public IReadOnlyList<MeasuredTarget> Servers(Func<int, RedisPipeline> pipelineTo) =>
    [
        .. _facts.Select((facts, place) => facts.ToRecord(Places.Places[place].Label, pipelineTo(place)))
            .DistinctBy(target => target.Endpoint),
    ];

    public void Dispose()
    {
        Clock?.Dispose();
        _places?.Dispose();
    }
}
