using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Links;

/// <summary>A process that reaches both ends of a link: it checks that they are linked, and writes and reads.</summary>
internal sealed class BothSides(DelayPlan plan, RunContext run, SessionEvents events)
    : ProbeSide(plan, run, events, writes: true, reads: true)
{
    private readonly LinkedNodes _nodes = new(plan);

    public override LinkEnds Ends => new(
        _nodes.Source.Name,
        string.Join(", ", _nodes.Destinations.Select(destination => destination.Name)),
        Options.SourceRegion,
        _nodes.Destinations.Count == 1 ? Options.DestinationRegions.ElementAtOrDefault(0) : null);

    public override IReadOnlyList<ResolvedTarget> Targets => [_nodes.Source, .. _nodes.Destinations];

    public override IReadOnlyList<MeasuredTarget> Servers
    {
        get
        {
            var readings = Session.Readings.ToList();
            return _nodes.Targets(
                route => Session.PipelineTo(_nodes.Routes[route].Stream),
                route => readings[route].Destination.Current);
        }
    }

    public override string Title => _nodes.Title;

    public override IEnumerable<string> Notes => [.. _nodes.Notes, .. base.Notes];

    public override void Connect()
    {
        if (_nodes.IsEmbedded && Options.WaitInterval > TimeSpan.Zero)
        {
            // Nobody acknowledges there: the forwarder is no replica.
            Options.WaitInterval = TimeSpan.Zero;
            Plan.Bound.Resolve("--wait-interval", "0s");
        }

        _nodes.Connect(Options, Events, Run.Stop, Run.Logger);
    }

    public override bool Meet()
    {
        _nodes.AwaitFirstKeys(Options, Run.Stop, Run.Logger);
        return !Run.Stop.IsRequested;
    }

    public override void Open()
    {
        if (Plan.WarmUpKeys > 0)
        {
            using var progress = new WarmUpProgress(
                Run, string.Create(CultureInfo.InvariantCulture, $"about {Options.WarmUp.TotalSeconds:0.#} s"));
            using var warmUp = NewSession(Plan.WarmUpKeys);
            Open(warmUp);
            warmUp.Run(Begin());
        }

        Run.Stop.Cancellation.ThrowIfCancellationRequested();
        Session = NewSession(Plan.Keys);
        Open(Session);
    }

    public override void Dispose()
    {
        base.Dispose();
        _nodes.Dispose();
    }

    protected override LinkWatch NewWatch() => new(
        [.. _nodes.Routes.Select(route => route.Source), .. _nodes.Routes.Select(route => route.Destination)],
        Session.Streams, _nodes.Routes.Select(route => (route.Source, route.Destination)), Options, Session.Id, Events);

    private void Open(ProbeSession session)
    {
        session.Write(KeyRoute.StreamsOf(_nodes.Routes));
        session.Read(
            _nodes.Destinations.Select((target, number) => new ReadDestination(
                number, target, Options.DestinationRegions.ElementAtOrDefault(number))),
            _nodes.Routes);
    }
}
