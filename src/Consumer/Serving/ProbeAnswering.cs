using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Probing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Records;

namespace RedisLatency.Consumer.Serving;

/// <summary>Watches this host's clock, and answers whoever has the run's key when asked for its time.</summary>
internal sealed class ProbeAnswering : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ConsumerPlan _plan;
    private readonly AnsweredClock _clock;
    private readonly ReporterThread _sampling;
    private readonly string? _redisComplaint;
    private readonly string _server;

    public ProbeAnswering(ConsumerPlan plan, ResolvedTarget target, string? redisComplaint)
    {
        (_plan, _redisComplaint, _server) = (plan, redisComplaint, target.Endpoint.ToString());
        _clock = new AnsweredClock(RunIdentity.OfRun(plan.Run), plan.Id);
        if (plan.Options.Probe.Udp is { } address && !_clock.TryListen(address, out var problem))
            throw new RunRefusedException(problem);

        // Always the raw lane, whatever carries the messages: less stands between a stamp and the socket.
        if (plan.Options.Probe.UsesRedis && redisComplaint is null)
            _clock.Listen(_server, () => RawLane.Open(target.Endpoint, target.Connection, plan.ProbeLane));
        _sampling = new ReporterThread(Second, _ => _clock.Watch.Sample());
    }

    public ProbeOffer? Offer => _clock.Offer;

    /// <summary>Where it can be asked, in words; null where it cannot.</summary>
    public string? Places => Responders.Any()
        ? string.Join(
            " and ", Responders.Select(responder => responder == Udp ? $"at {responder.Name}" : "through Redis"))
        : null;

    public string? Problem => Redis?.Problem is { } problem
        ? $"Clock probes cannot be answered through Redis: {problem}"
        : null;

    public HostClock Clock => HostClock.Of(_plan.Clock, _clock.Watch);

    private ProbeResponder? Udp => _clock.Udp;

    private ProbeResponder? Redis => _clock.Redis;

    private IEnumerable<ProbeResponder> Responders => new[] { Udp, Redis }.OfType<ProbeResponder>();

    public IEnumerable<ProbeService> Services
    {
        get
        {
            if (Udp is not null)
                yield return ServiceOf("udp", Udp.Name, Udp.Counts, Udp.Problem);
            if (Redis is not null)
                yield return ServiceOf("redis", _server, Redis.Counts, Redis.Problem);
            else if (_redisComplaint is not null)
                yield return ServiceOf("redis", _server, new ProbeResponderCounts(), _redisComplaint);
        }
    }

    public void Dispose()
    {
        _sampling.Dispose();
        _clock.Dispose();
    }

    private static ProbeService ServiceOf(string lane, string address, ProbeResponderCounts counts, string? problem) =>
        new()
        {
            Lane = lane,
            Address = address,
            Answered = counts.Answered,
            WrongSize = counts.WrongSize,
            Foreign = counts.Foreign,
            OtherVersion = counts.OtherVersion,
            ForAnother = counts.ForAnother,
            Unauthenticated = counts.Unauthenticated,
            Repeated = counts.Repeated,
            OverRate = counts.OverRate,
            Unsent = counts.Unsent,
            Problem = problem,
        };
}
