using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Presence;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Answering;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Records;

namespace RedisLatency.Consumer.Serving;

/// <summary>Watches this host's clock, and answers whoever has the run's key when asked for its time.</summary>
internal sealed class ProbeAnswering : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ConsumerPlan _plan;
    private readonly ProbeKey _key;
    private readonly HostClockWatch _clock = new();
    private readonly ReporterThread _sampling;
    private readonly string? _redisComplaint;
    private readonly string _server;
    private readonly ProbeResponder? _udp;
    private readonly ProbeResponder? _redis;

    public ProbeAnswering(ConsumerPlan plan, ResolvedTarget target, string? redisComplaint)
    {
        (_plan, _redisComplaint, _server) = (plan, redisComplaint, target.Endpoint.ToString());
        var run = RunIdentity.OfRun(plan.Run);
        _key = new ProbeSecret().KeyOf(run);
        var options = new ProbeResponderOptions
        {
            Run = run,
            Answerer = plan.Id,
            Key = _key,
            Status = () => _clock.Status,
        };
        if (plan.Options.Probe.Udp is { } address
            && !ProbeResponder.TryOnUdp(address, options, out _udp, out var problem))
        {
            throw new RunRefusedException(problem);
        }

        // Always the raw lane, whatever carries the messages: less stands between a stamp and the socket.
        if (plan.Options.Probe.UsesRedis && redisComplaint is null)
        {
            _redis = ProbeResponder.OnRedis(
                _server, () => RawLane.Open(target.Endpoint, target.Connection, plan.ProbeLane), options);
        }

        _sampling = new ReporterThread(Second, _ => _clock.Sample());
    }

    public ProbeOffer? Offer => Responders.Any()
        ? new ProbeOffer(_key.Reveal()) { Udp = OfferedAddress?.ToString(), Redis = _redis is not null }
        : null;

    /// <summary>Where it can be asked, in words; null where it cannot.</summary>
    public string? Places => Responders.Any()
        ? string.Join(
            " and ", Responders.Select(responder => responder == _udp ? $"at {responder.Name}" : "through Redis"))
        : null;

    public long Answered => Responders.Sum(responder => responder.Counts.Answered);

    public string? Problem => _redis?.Problem is { } problem
        ? $"Clock probes cannot be answered through Redis: {problem}"
        : null;

    // Nobody can be sent to every address: the machine's name is the best guess, and Producers can be told a better
    // one.
    private ProbeAddress? OfferedAddress => _udp?.Address is { IsAnyHost: true } any
        ? any with { Host = Environment.MachineName }
        : _udp?.Address;

    private IEnumerable<ProbeResponder> Responders
    {
        get
        {
            if (_udp is not null)
                yield return _udp;
            if (_redis is not null)
                yield return _redis;
        }
    }

    public HostClock Clock => HostClock.Of(_plan.Clock, _clock);

    public IEnumerable<ProbeService> Services
    {
        get
        {
            if (_udp is not null)
                yield return ServiceOf("udp", _udp.Name, _udp.Counts, _udp.Problem);
            if (_redis is not null)
                yield return ServiceOf("redis", _server, _redis.Counts, _redis.Problem);
            else if (_redisComplaint is not null)
                yield return ServiceOf("redis", _server, new ProbeResponderCounts(), _redisComplaint);
        }
    }

    public void Dispose()
    {
        _sampling.Dispose();
        foreach (var responder in Responders)
            responder.Dispose();
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
