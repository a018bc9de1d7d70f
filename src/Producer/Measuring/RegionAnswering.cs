using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer.Measuring;

/// <summary>
/// What a process in one of several regions does beside sending: it answers those in the others, and tells them the
/// time of the clock that it stamps with itself.
/// </summary>
internal sealed class RegionAnswering : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly AnsweredClock _clock;
    private readonly ReporterThread _sampling;
    private readonly EmbeddedConsumer _consumer;

    /// <summary>Starts it; it answers when this returns.</summary>
    /// <param name="target">Where.</param>
    /// <param name="plan">Whom, and under which name.</param>
    /// <param name="waits">What this process's threads have waited for a processor so far.</param>
    public RegionAnswering(ResolvedTarget target, ProducerPlan plan, Func<ReportedWaits?> waits)
    {
        var id = RunIdentity.NewProcess();
        _clock = new AnsweredClock(plan.RunNumber, id);
        try
        {
            // Always the raw lane, whatever carries the messages: less stands between a stamp and the socket.
            _clock.Listen($"{target.Endpoint}", () => RawLane.Open(
                target.Endpoint, target.Connection, ProbeChannels.ToAnswer(plan.Run, "redislatency-probes")));
            _consumer = new EmbeddedConsumer(target, plan, new EchoOptions
            {
                Instance = id,
                Self = Announcement.OfThis(plan.Run, EmbeddedConsumer.Role, plan.Instance, plan.Region)
                    .WithClock(_clock.Offer) with
                { TickNs = ClockTick.MeasureNs() },
                OwnProducer = plan.Producer,
                Waits = waits,
                ReconnectLimit = plan.Options.ReconnectTimeout,
            });
        }
        catch
        {
            _clock.Dispose();
            throw;
        }

        _sampling = new ReporterThread(Second, _ => _clock.Watch.Sample());
    }

    /// <summary>Throws what ended it before its time.</summary>
    public void ThrowIfFailed() => _consumer.ThrowIfFailed();

    public void Dispose()
    {
        _consumer.Dispose();
        _sampling.Dispose();
        _clock.Dispose();
    }
}
