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

    /// <summary>Begins the files.</summary>
    public OneWayRun(ProducerPlan plan, SavedResults results, ILogger logger)
    {
        (_plan, _logger) = (plan, logger);
        _output = new OneWayOutput(results, plan, _clock);
    }

    /// <summary>Follows the clocks of a target's consumers from now on; without effect where it does already.</summary>
    public void Start(TargetSession session) =>
        session.OneWay ??= new OneWaySession(session, _plan, _output, _watch, _clock, _logger);

    /// <summary>Our own clock, and what this host says of it.</summary>
    public HostClock Clock => HostClock.Of(_clock, _watch);

    /// <summary>Gives the files their final names.</summary>
    public void Finish() => _output.Complete();

    /// <inheritdoc/>
    public void Dispose()
    {
        _output.Dispose();
        _watch.Dispose();
    }
}
