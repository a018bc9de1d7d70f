using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Rendezvous;

internal sealed class WritingSide(DelayPlan plan, RunContext run, SessionEvents events)
    : HeartbeatSide(writes: true, reads: false)
{
    private const string ReadElsewhere =
        "Written here and read elsewhere: the delays are in the results of delay read --continuous.";

    private readonly SourceSide _side = new(plan, events);
    private RepeatedAnnouncement? _announcement;
    private HeartbeatSession? _session;
    private NodeWatchers? _watch;

    public override LinkEnds Ends => new(_side.Source.Name, "another process", Options.Identity.Region, null);

    public override IReadOnlyList<ResolvedTarget> Targets => [_side.Source, _side.Control];

    public override string Title => $"{Ends.Source} written";

    public override string Reading => Ends.Destination;

    public override string Clocks => $"this clock was asked {Quantity.Count(_side.Clock.Answered)} times";

    public override IEnumerable<string> Notes => _side.Clock.Problem is { } problem
        ? [ReadElsewhere, $"Asking for this clock's time: {problem}"]
        : [ReadElsewhere];

    private DelayOptions Options => plan.Options;

    public override void Connect(IStopToken stop) => _side.Connect(stop);

    public override HeartbeatSession? Open(Action<long, long> found, IStopToken stop) =>
        stop.IsRequested ? null : new HeartbeatSession(plan, events, stop, session =>
        {
            foreach (var (shard, place) in _side.Shards.Zip(_side.Places))
            {
                var key = new HeartbeatKey(shard.Prefix, session.Id);
                var tally = new HeartbeatTally(session.Schedule, key, (_, _) => { }, isReadHere: false);
                session.Add(shard.Slots, tally).Write(tally, place);
            }

            _side.Answer(session.Id, _side.Shards.Count);
            // A lost source is reported by who writes heartbeats there; it is announced again when it is back.
            _announcement = new RepeatedAnnouncement(_side, _side.OpenQuestions(TimeSpan.Zero, session.Ending));
            // What the source does not take is reported before it begins.
            _announcement.Begin();
            ReplicationLog.Announced(run.Logger, plan.Run, _side.Source.Name);
        });

    public override void Watch(HeartbeatSession session)
    {
        _session = session;
        _announcement!.GoOn();
        _watch = new NodeWatchers(_side.Places, Options.WatchInterval, events);
    }

    public override void EndWatch()
    {
        if (_session is not null)
            _announcement?.AnnounceEnd(_session.Schedule);
        _watch?.Dispose();
        _watch = null;
    }

    public override LinkEnds EndsOf(int way) => Ends with { Source = _side.Places[way].LastName };

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) =>
        _side.Servers(way => session.Ways[way].Source!.Current);

    public override void Dispose()
    {
        _watch?.Dispose();
        _announcement?.Dispose();
        _side.Dispose();
    }
}

/// <summary>Announces heartbeats over and over, for readers come and go; the key soon goes with its writer.</summary>
internal sealed class RepeatedAnnouncement(SourceSide side, KeyQuestions questions) : IDisposable
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);

    private readonly long _startNs = MonotonicClock.NowNs();
    private ReporterThread? _thread;
    private int _ticksLeft;

    public void Begin() => side.Announce(questions, _startNs);

    public void GoOn() => _thread = new ReporterThread(Tick, _ => AnnounceNowAndThen());

    public void AnnounceEnd(HeartbeatSchedule schedule)
    {
        _thread?.Dispose();
        _thread = null;
        TryToAnnounce(schedule.DueOf(schedule.DueBy(MonotonicClock.NowNs())));
    }

    public void Dispose()
    {
        _thread?.Dispose();
        questions.Dispose();
    }

    // About once a second: two writers of one run in step would hide each other from a reader that could tell it.
    private void AnnounceNowAndThen()
    {
        if (--_ticksLeft > 0)
            return;
        _ticksLeft = Random.Shared.Next(5, 16);
        TryToAnnounce(0);
    }

    private void TryToAnnounce(long endNs)
    {
        try
        {
            side.TryAnnounce(questions, _startNs, endNs);
        }
        catch (RedisException)
        {
            // The heartbeats are not written either, which is reported.
        }
    }
}
