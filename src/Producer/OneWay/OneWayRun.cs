using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Producer.Measuring;
using RedisLatency.Reports.Records;

namespace RedisLatency.Producer.OneWay;

/// <summary>One-way latency of a whole run: of each target while it is measured, into the same files.</summary>
internal sealed class OneWayRun : IDisposable
{
    private readonly ProducerPlan _plan;
    private readonly ILogger _logger;
    private readonly ClockIdentity _clock = ClockIdentity.Read();
    private readonly HostClockWatch _watch = new();
    private readonly OneWayOutput _output;

    public OneWayRun(ProducerPlan plan, SavedResults results, ILogger logger)
    {
        (_plan, _logger) = (plan, logger);
        _output = new OneWayOutput(results, plan, _clock);
    }

    /// <summary>Without effect where it follows the clocks of the target's consumers already.</summary>
    public void Start(TargetSession session) =>
        session.OneWay ??= new OneWaySession(session, _plan, _output, _watch, _clock, _logger);

    public HostClock Clock => HostClock.Of(_clock, _watch);

    public void Finish() => _output.Complete();

    public void Dispose()
    {
        _output.Dispose();
        _watch.Dispose();
    }
}
