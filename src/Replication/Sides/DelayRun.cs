using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

internal sealed class DelayRun(
    DelayPlan plan,
    StandardOutput output,
    DelayResults results,
    ILogger<DelayRun> logger) : IMeasuredRun, IDisposable
{
    private readonly List<IDisposable> _owned = [];
    private readonly SessionEvents _events = new();
    private LinkedEnds _ends = null!;
    private DestinationChoice _choice = null!;
    private KeySession? _session;
    private LinkWatch? _watch;
    private DelayIntervals? _intervals;

    private DelayOptions Options => plan.Options;

    public void Resolve(RunContext context)
    {
        _ends = Own(new LinkedEnds(plan));
        if (_ends.IsEmbedded)
        {
            // Nobody acknowledges there: the forwarder is no replica.
            Options.WaitInterval = TimeSpan.Zero;
            plan.Bound.Resolve("--wait-interval", "0s");
        }

        _ends.Introduce(Options.Output, output);
    }

    public void Connect(RunContext context)
    {
        _ends.Connect(Options, _events, context.Stop);
        InterruptibleStep.Run(
            () => _choice = DestinationChoice.Decide(_ends.Destinations, _ends.Ways, Options), context.Stop);
    }

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context) => _ends.AwaitFirstKeys(Options, context.Stop, logger);

    public void WarmUp(RunContext context)
    {
        if (plan.WarmUpKeys > 0)
        {
            ReplicationLog.WarmingUp(logger);
            using var warmUp = SessionOf(plan.WarmUpKeys, context.Stop);
            warmUp.Run();
        }

        if (context.Stop.IsRequested)
            return;
        results.Begin(context, [_ends.Source, .. _ends.Destinations]);
        _session = Own(SessionOf(plan.Keys, context.Stop));
        _watch = Own(new LinkWatch(_ends.Ways, Options, _session.Writing.Id, _events, _ends.Replicas));
    }

    public void Measure(RunContext context)
    {
        _intervals = new DelayIntervals(_session!, _watch!, logger);
        results.Measure(context, results.Describe(_ends.Title), _intervals.Metrics, _intervals.End, () =>
        {
            try
            {
                _session!.Run();
            }
            finally
            {
                _watch!.Dispose();
            }
        });
    }

    // Measuring ends when every key is accounted for.
    public void Drain(RunContext context) => results.End();

    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        if (Options.EachKey)
            KeyTrace.Write(results.Saved.CreateLines(KeyTrace.FileName), _session!);
        return results.Report(context, Outcome(context));
    }

    public void Dispose()
    {
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private DelayOutcome Outcome(RunContext context)
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var writing = _session!.Writing;
        var account = new KeyAccount(_session, _watch!, Options, _ends.Source);
        var reading = new ReadingVerdict(_session, account);
        var readings = _session.Readings.ToList();
        account.CountMissing();
        _intervals!.Lateness.Total.AddMissing(writing.Unsent);
        _watch!.CountMissing();
        return new DelayOutcome
        {
            Keys = account.Whole(),
            Destinations = account.Destinations(),
            Shards = account.Shards(),
            Metrics = _intervals.Metrics,
            Sent = writing.Sent,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets = _ends.Targets(
                way => writing.PipelineTo(_ends.Ways[way].Stream), way => readings[way].Destination.Current),
            Events = _events,
            Faults =
            [
                .. DelayVerdict.ClockFaults(), .. reading.Faults,
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, plan, isWhole),
            ],
            Notes =
            [
                .. _ends.Notes, .. _choice.Notes, .. reading.Notes, .. DelayVerdict.WritingNotes(writing),
                .. _watch.Notes,
            ],
        };
    }

    private KeySession SessionOf(long keys, IStopToken stop) =>
        new(plan, _choice.Destinations, keys, _ends.Ways, _events, stop);

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
