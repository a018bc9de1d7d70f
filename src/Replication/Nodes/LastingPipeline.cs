using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// A connection that is opened again when it is lost, as long as the options allow, to wherever its end is by then.
/// </summary>
internal sealed class LastingPipeline : IDisposable
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(500);

    // What others wrote to a key, or publish, may be longer, and says nothing.
    private static readonly RespLimits Replies = RespLimits.OfValues(ProbeValue.MaxLength, KeyLooks.MostAtOnce) with
    {
        MaxBulkLength = RespLimits.Default.MaxBulkLength,
        LongestKept = ProbeValue.MaxLength,
    };

    private readonly IServerPlace _place;
    private readonly TimeSpan _limit;
    private readonly SessionEvents _events;
    private readonly IStopToken _stop;
    private long _bytesBefore;

    /// <summary>Opens it.</summary>
    /// <param name="place">Where to.</param>
    /// <param name="limit">How long it is tried for once it is lost.</param>
    /// <param name="events">Where to tell of losses.</param>
    /// <param name="stop">Ends the trying.</param>
    /// <exception cref="RedisException">It cannot be had.</exception>
    public LastingPipeline(IServerPlace place, TimeSpan limit, SessionEvents events, IStopToken stop)
    {
        (_place, _limit, _events, _stop) = (place, limit, events, stop);
        Target = place.Require();
        Current = Open(Target);
    }

    /// <summary>The connection; another one after <see cref="Restore"/>.</summary>
    public RedisPipeline Current { get; private set; }

    /// <summary>The server that it leads to.</summary>
    public ResolvedTarget Target { get; private set; }

    /// <summary>Which end that is, for people.</summary>
    public string Label => _place.Label;

    /// <summary>Whether its end is another server by now, or nowhere: what this one says counts no more.</summary>
    public bool IsElsewhere => !ReferenceEquals(_place.Target, Target);

    /// <summary>Bytes that went either way, over all connections.</summary>
    public long Bytes => _bytesBefore + Current.Bytes;

    /// <summary>How often it was lost.</summary>
    public int Losses { get; private set; }

    /// <summary>Opens it again.</summary>
    /// <returns>False where a request to stop came first.</returns>
    /// <exception cref="TargetLostException">It could not be had back in time, or never will be.</exception>
    public bool Restore(RedisException reason)
    {
        Losses++;
        _events.Note("disconnected", $"{Label}: {reason.Message}");
        return Reopen();
    }

    /// <summary>Opens it to where its end is now.</summary>
    /// <inheritdoc cref="Restore" path="/returns|/exception"/>
    public bool Follow() => Reopen();

    /// <inheritdoc/>
    public void Dispose() => Current.Dispose();

    private bool Reopen()
    {
        Current.Dispose();
        var lostAt = MonotonicClock.NowNs();
        var backoff = new JitteredBackoff(limit: LongestPause);
        while (true)
        {
            if (!IsElsewhere || _place.Target is null)
                _place.Renew();
            try
            {
                var target = _place.Require();
                var opened = Open(target);
                _bytesBefore += Current.Bytes;
                (Current, Target) = (opened, target);
                var took = MonotonicClock.NowNs() - lostAt;
                _events.Note("reconnected", $"{Label}: connected to {target.Name} after {Quantity.Duration(took)}");
                return true;
            }
            catch (RedisException failure)
            {
                var elapsed = TimeSpan.FromTicks((MonotonicClock.NowNs() - lostAt) / TimeSpan.NanosecondsPerTick);
                if (!failure.MayPassAtReconnect || elapsed >= _limit)
                    throw new TargetLostException($"{Label} was lost and did not come back: {failure.Message}", failure);
            }

            if (_stop.WaitUntilRequested(backoff.Next()))
                return false;
        }
    }

    private RedisPipeline Open(ResolvedTarget target)
    {
        var pipeline = RedisPipeline.Open(
            target.Endpoint,
            target.Connection with { ClientName = $"redislatency-{_place.Role}", ReplyLimits = Replies });
        try
        {
            if (_place.IsReplica)
                pipeline.Ask("READONLY");
            return pipeline;
        }
        catch
        {
            pipeline.Dispose();
            throw;
        }
    }
}
