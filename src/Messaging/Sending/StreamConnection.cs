using System.Runtime.ExceptionServices;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Sending;

/// <summary>A stream's lane, there or being reopened on another thread: the measuring one never waits for it.</summary>
internal sealed class StreamConnection(Func<IPubSubLane> open, TimeSpan reconnectLimit) : IDisposable
{
    private readonly List<Outage> _outages = [];
    private readonly Reconnection _reconnection = new();
    private Reconnector<IPubSubLane>? _reconnector;
    private long _lostAt;

    public IPubSubLane? Lane { get; private set; }

    public LaneDescription? Description { get; private set; }

    /// <summary>The times without a lane so far; the last one lasts where it has no end.</summary>
    public IReadOnlyList<Outage> Outages => _outages;

    public void Open() => Adopt(open());

    /// <summary>Whether a failure means that the lane cannot be used any more, but another may.</summary>
    public static bool IsLost(RedisException failure) =>
        failure is RedisConnectionLostException or RedisTimeoutException or RedisProtocolException;

    public void Lose(RedisException failure)
    {
        Lane?.Dispose();
        Lane = null;
        _lostAt = MonotonicClock.NowNs();
        _outages.Add(new Outage(_lostAt, null, failure.Message));
        _reconnector = new Reconnector<IPubSubLane>(open, _reconnection);
    }

    public bool TryRestore(TimeSpan wait)
    {
        if (Lane is not null)
            return true;
        _reconnector!.Wait(wait);
        if (_reconnector.TryTake(out var lane))
        {
            Adopt(lane);
            _outages[^1] = _outages[^1] with { EndNs = MonotonicClock.NowNs() };
            _reconnector.Dispose();
            _reconnector = null;
            return true;
        }

        if (_reconnector.Failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
        if (MonotonicClock.NowNs() - _lostAt > reconnectLimit.TotalNanoseconds)
        {
            var why = _reconnector.LastError is { } error ? $": {error.Message}" : string.Empty;
            throw new RedisConnectionLostException(
                $"The connection was lost and could not be restored within {reconnectLimit.TotalSeconds:0.#} s{why}");
        }

        return false;
    }

    public void Dispose()
    {
        _reconnector?.Dispose();
        Lane?.Dispose();
    }

    private void Adopt(IPubSubLane lane)
    {
        Lane = lane;
        Description = lane.Description;
    }
}
