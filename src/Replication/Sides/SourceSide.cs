using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Lanes;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

/// <summary>The source of a process that writes for readers elsewhere, which may ask its clock.</summary>
internal sealed class SourceSide(DelayPlan plan, SessionEvents events) : IDisposable
{
    private ResolvedTarget? _control;
    private WritingPlaces? _places;
    private IReadOnlyList<EndFacts> _facts = [];
    private ResolvedTarget? _source;

    public ResolvedTarget Source => _source ?? throw NotYet();

    public ResolvedTarget Control => _control ?? throw NotYet();

    public WritingPlaces Places => _places ?? throw NotYet();

    public OwnClock? Clock { get; private set; }

    public void Resolve()
    {
        var source = plan.Options.Source ?? throw NotYet();
        var targets = plan.ResolveTargets([source, plan.Options.Control ?? source]);
        (_source, _control) = (targets[0], targets[1]);
    }

    public void Connect(IStopToken stop) => InterruptibleStep.Run(
        () =>
        {
            var facts = EndFacts.Look("--source", Source);
            // Any node stands for its cluster.
            if (!facts.IsInCluster)
                facts.RequireSource();
            _places = WritingPlaces.Find(facts, plan.Options, events);
            _facts = [.. _places.Places.Select(place => EndFacts.Look("--source", place.Require()))];
        },
        stop);

    // Answers readers of a session from now on, and can announce it to them.
    public Announcer Answer(ulong session, int writers)
    {
        Clock = new OwnClock(
            session, plan.Run, plan.Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, Control);
        return new Announcer(plan, Places, session, writers, Clock, Source);
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

    private static InvalidOperationException NotYet() => new("The source is not resolved yet.");
}
