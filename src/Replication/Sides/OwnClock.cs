using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Answering;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Replication.Sides;

internal sealed class OwnClock : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly HostClockWatch _watch = new();
    private readonly ReporterThread _sampling;
    private readonly ProbeKey _key;
    private readonly List<ProbeResponder> _responders = [];
    private long _answered;
    private long _answeredNs = MonotonicClock.NowNs();

    public OwnClock(ulong session, string run, ProbeAddress? udp, ResolvedTarget control)
    {
        _key = new ProbeSecret().KeyOf(session);
        var options = new ProbeResponderOptions
        {
            Run = session,
            Answerer = session,
            Key = _key,
            Status = () => _watch.Status,
        };
        if (udp is not null)
        {
            if (!ProbeResponder.TryOnUdp(udp, options, out var responder, out var problem))
                throw new RunRefusedException(problem);
            _responders.Add(responder);
            UdpAddress = responder.Address is { IsAnyHost: true } any
                ? any with { Host = Environment.MachineName }
                : responder.Address;
        }

        _responders.Add(ProbeResponder.OnRedis(
            control.Name,
            () => RawLane.Open(control.Endpoint, control.Connection, new LaneOptions
            {
                SubscribeChannels = [ProbeChannels.Questions(run)],
                PublishChannels = [ProbeChannels.Answers(run)],
                MaxPayload = ProbeChannels.LongestMessage,
                ClientName = "redislatency-delay-probe",
            }),
            options));
        _sampling = new ReporterThread(Second, _ => _watch.Sample());
    }

    public ProbeAddress? UdpAddress { get; }

    public string RevealKey() => _key.Reveal();

    public long Answered => _responders.Sum(responder => responder.Counts.Answered);

    // For how long nobody had asked when somebody looked.
    public TimeSpan Unasked { get; private set; }

    public string? Problem =>
        _responders.Select(responder => responder.Problem).FirstOrDefault(text => text is not null);

    public void LookForQuestions()
    {
        var now = MonotonicClock.NowNs();
        if (Answered > _answered)
            (_answered, _answeredNs) = (Answered, now);
        Unasked = TimeSpan.FromNanoseconds(now - _answeredNs);
    }

    public void Dispose()
    {
        _sampling.Dispose();
        _responders.ForEach(responder => responder.Dispose());
        _watch.Dispose();
    }
}
