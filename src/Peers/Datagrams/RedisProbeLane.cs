using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// Datagrams as messages on channels of their own. A lost connection is opened again on another thread; a server that
/// refuses ends the lane, and nothing else.
/// </summary>
internal sealed class RedisProbeLane(string name, Func<IPubSubLane> open) : IProbeLane
{
    // Looking after each publish would find no reply yet, at the price of a system call; a refusal can wait so long.
    private const long DrainAfterNs = 100_000_000;

    private readonly Reconnection _reconnection = new();
    private IPubSubLane? _lane;
    private Reconnector<IPubSubLane>? _opening;
    private volatile string? _problem;
    private volatile bool _isLost;
    private long _drainedNs;

    public string Name { get; } = name;

    public string? Problem => _problem ?? _opening?.LastError?.Message;

    public bool IsLost => _isLost;

    public void Open()
    {
        if (_lane is null && _opening is null && !_isLost)
            _opening = new Reconnector<IPubSubLane>(open, _reconnection);
    }

    public bool TrySend(ReadOnlySpan<byte> datagram)
    {
        if (!IsOpen() || _lane is not { } lane)
            return false;
        try
        {
            lane.Publish(0, datagram);
            return true;
        }
        catch (RedisException failure)
        {
            Lose(failure);
            return false;
        }
    }

    public int Receive(long untilNs, Span<byte> buffer, out long receivedNs)
    {
        receivedNs = 0;
        if (!IsOpen() || _lane is not { } lane)
        {
            Pacer.WaitUntil(untilNs);
            return -1;
        }

        try
        {
            if (lane.TryReceive(MonotonicClock.ToTimestamp(untilNs), out var message))
            {
                receivedNs = MonotonicClock.FromTimestamp(message.ReceivedTimestamp);
                var length = Math.Min(message.Payload.Length, buffer.Length);
                message.Payload[..length].CopyTo(buffer);
                DrainNowAndThen(lane);
                return length;
            }

            DrainNowAndThen(lane);
        }
        catch (RedisException failure)
        {
            Lose(failure);
        }

        return -1;
    }

    public void Dispose()
    {
        _opening?.Dispose();
        _lane?.Dispose();
    }

    private void DrainNowAndThen(IPubSubLane lane)
    {
        var now = MonotonicClock.NowNs();
        if (now - _drainedNs < DrainAfterNs)
            return;
        _drainedNs = now;
        lane.DrainReplies();
    }

    private bool IsOpen()
    {
        if (_lane is not null)
            return true;
        if (_opening is null)
            return false;
        if (_opening.TryTake(out _lane))
        {
            _opening.Dispose();
            _opening = null;
            _problem = null;
            return true;
        }

        if (_opening.Failure is { } failure)
            GiveUp(failure);
        return false;
    }

    private void Lose(RedisException failure)
    {
        if (failure is RedisServerException { IsTransient: true })
            return;
        _problem = failure.Message;
        _lane?.Dispose();
        _lane = null;
        if (failure is RedisServerException or RedisProtocolException)
            GiveUp(failure);
        else
            _opening = new Reconnector<IPubSubLane>(open, _reconnection);
    }

    private void GiveUp(Exception failure)
    {
        _problem = failure.Message;
        _isLost = true;
        _opening?.Dispose();
        _opening = null;
    }
}
