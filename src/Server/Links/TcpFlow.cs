using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

internal sealed class TcpFlow(
    TcpRelay relay, LinkDirection direction, DelayLine line, int maxBuffered, DueQueue due) : IDueAction
{
    private readonly ChunkQueue _queue = new(maxBuffered);
    private int _sent;
    private bool _isScheduled;
    private bool _hasEnded;
    private bool _isReset;
    private long _endDueNs;

    public TcpEnd From { get; set; } = null!;

    public TcpEnd To { get; set; } = null!;

    public bool WantsToRead => !_hasEnded && !_queue.IsFull;

    public bool IsBlocked { get; private set; }

    public bool IsFinished { get; private set; }

    public void Read()
    {
        if (!WantsToRead)
            return;
        var count = From.Socket.Receive(_queue.Space(line.MostAtOnce));
        if (count == NonBlockingSocket.WouldBlock)
            return;
        // Read after them: stamped before, a thread that was held up between would give them an arrival before they
        // came.
        var arrivedNs = TimestampSpan.NowNs();
        if (count <= 0)
        {
            if (count == 0)
                End(arrivedNs);
            else
                Break(arrivedNs);
            return;
        }

        var dueNs = line.DueNs(arrivedNs, count, out var askedNs);
        _queue.Add(new ChunkQueue.Chunk(count, arrivedNs, askedNs, dueNs));
        Schedule();
        From.Watch();
    }

    /// <summary>Its sender's connection broke: what came before still goes out, then its receiver learns.</summary>
    public void Break(long arrivedNs)
    {
        _isReset = true;
        IsFinished = false;
        End(arrivedNs);
    }

    /// <summary>Its receiver's connection is broken: nothing more is taken in.</summary>
    public void Stop()
    {
        Discard();
        _hasEnded = IsFinished = true;
        From.Watch();
    }

    public void Unblock()
    {
        if (!IsBlocked)
            return;
        IsBlocked = false;
        Act();
        To.Watch();
    }

    public void Act()
    {
        _isScheduled = false;
        if (relay.IsClosed || IsBlocked || To.IsConnecting)
            return;
        var wasFull = _queue.IsFull;
        while (!_queue.IsEmpty && _queue.First.DueNs <= TimestampSpan.NowNs())
        {
            if (!TrySendFirst())
                break;
        }

        if (relay.IsClosed)
            return;
        if (wasFull && !_queue.IsFull)
            From.Watch();
        if (_queue.IsEmpty && _hasEnded && !IsFinished && _endDueNs <= TimestampSpan.NowNs())
            Finish();
        else
            Schedule();
    }

    public void Schedule()
    {
        if (_isScheduled || IsBlocked || IsFinished || To.IsConnecting || (_queue.IsEmpty && !_hasEnded))
            return;
        _isScheduled = true;
        due.Add(this, _queue.IsEmpty ? _endDueNs : _queue.First.DueNs);
    }

    public void Discard()
    {
        while (!_queue.IsEmpty)
            relay.Tell(direction, _queue.Remove(), releasedNs: 0, ChunkFate.Cut);
    }

    private void End(long arrivedNs)
    {
        _hasEnded = true;
        _endDueNs = line.DueNs(arrivedNs, 0, out _);
        Schedule();
        From.Watch();
    }

    private bool TrySendFirst()
    {
        while (_sent < _queue.First.Bytes)
        {
            var count = To.Socket.Send(_queue.Rest(_sent));
            if (count < 0)
            {
                if (count == NonBlockingSocket.WouldBlock)
                    Block();
                else
                    relay.LoseReceiver(this);
                return false;
            }

            _sent += count;
            _queue.Skip(count);
        }

        var releasedNs = TimestampSpan.NowNs();
        _sent = 0;
        relay.Tell(direction, _queue.Remove(), releasedNs, ChunkFate.Delivered);
        return true;
    }

    private void Block()
    {
        IsBlocked = true;
        To.Watch();
    }

    private void Finish()
    {
        IsFinished = true;
        if (_isReset)
            relay.Close(isReset: true);
        else
            relay.Finish(this);
    }
}
