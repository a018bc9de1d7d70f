using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>The writer's clock as readers ask for it, and how long ago one last did.</summary>
internal sealed class LocalClock : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly AnsweredClock _clock;
    private readonly ReporterThread _sampling;
    private long _answered;
    private long _answeredNs = MonotonicClock.NowNs();

    public LocalClock(ulong session, string run, ProbeAddress? udp, ResolvedTarget control)
    {
        _clock = new AnsweredClock(session, session);
        if (udp is not null && !_clock.TryListen(udp, out var problem))
            throw new RunRefusedException(problem);
        var lane = ProbeChannels.ToAnswer(run, "redislatency-delay-probe");
        _clock.Listen(control.Name, () => RawLane.Open(control.Endpoint, control.Connection, lane));
        _sampling = new ReporterThread(Second, _ => _clock.Watch.Sample());
    }

    public ProbeOffer? Offer => _clock.Offer;

    public long Answered => _clock.Answered;

    // For how long nobody had asked when that was noted.
    public TimeSpan Unasked { get; private set; }

    public string? Problem => _clock.Udp?.Problem ?? _clock.Redis?.Problem;

    public void NoteQuestions()
    {
        var now = MonotonicClock.NowNs();
        if (Answered > _answered)
            (_answered, _answeredNs) = (Answered, now);
        Unasked = TimeSpan.FromNanoseconds(now - _answeredNs);
    }

    public void Dispose()
    {
        _sampling.Dispose();
        _clock.Dispose();
    }
}
