using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Heartbeat.Beats;

/// <summary>The heartbeats of one way: of a shard, or the only one.</summary>
internal sealed class BeatWay : IDisposable
{
    private BeatWay(KeyWay way, BeatTally tally, DelayTally delays) => (Way, Tally, Delays) = (way, tally, delays);

    /// <summary>From where to where.</summary>
    public KeyWay Way { get; }

    /// <summary>What became of them.</summary>
    public BeatTally Tally { get; }

    /// <summary>How long they took.</summary>
    public DelayTally Delays { get; }

    /// <summary>The one who writes.</summary>
    public required BeatWriter Writer { get; init; }

    /// <summary>The one who reads.</summary>
    public required BeatReader Reader { get; init; }

    /// <summary>The connection to the source.</summary>
    public required LastingPipeline Source { get; init; }

    /// <summary>The connection to the destination.</summary>
    public required LastingPipeline Destination { get; init; }

    /// <summary>Opens both connections.</summary>
    /// <param name="way">From where to where.</param>
    /// <param name="plan">What is wanted.</param>
    /// <param name="schedule">When heartbeats are due.</param>
    /// <param name="session">What their values carry.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="found">Is told each delay, in nanoseconds.</param>
    /// <param name="end">Ends it.</param>
    /// <exception cref="Redis.RedisException">One cannot be had.</exception>
    public static BeatWay Open(
        KeyWay way, HeartbeatPlan plan, BeatSchedule schedule, ulong session, SessionEvents events,
        Action<KeyWay, long> found, IStopToken end)
    {
        var key = FormattableString.Invariant($"{way.Prefix}:heartbeat:{session:x16}");
        var source = new LastingPipeline(way.Source, plan.ReconnectLimit, events, end);
        LastingPipeline? destination = null;
        try
        {
            destination = new LastingPipeline(way.Destination, plan.ReconnectLimit, events, end);
            var tally = new BeatTally(schedule);
            var delays = new DelayTally();
            return new BeatWay(way, tally, delays)
            {
                Writer = new BeatWriter(schedule, tally, key, session, plan.Options.Expiry, source, events, end),
                Reader = new BeatReader(
                    tally, delays, key, session, plan, destination, events, delay => found(way, delay)),
                Source = source,
                Destination = destination,
            };
        }
        catch
        {
            source.Dispose();
            destination?.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Source.Dispose();
        Destination.Dispose();
        Tally.Dispose();
    }
}
