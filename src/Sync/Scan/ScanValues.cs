using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;
using static RedisLatency.Sync.Scan.ScanReplies;

namespace RedisLatency.Sync.Scan;

// The values of keys that a scan has come to: asked for, read and passed on. A server has all answers to what it was
// sent at once in its memory before it sends the first, so of keys with long values few are asked for together.
internal sealed class ScanValues(TargetServer server, KeyUse use)
{
    private const int FullBatch = 256 << 10;
    private const int AtFirst = 8;
    // Of what is far, more have to be on their way; of what is near, it brings nothing.
    private const int MostNear = 64;
    private const int MostFar = 1024;
    private const int MostTimeouts = 2;
    private const long EnoughBytes = 8 << 20;
    // A time to live, of a key that is not there.
    private const int Missing = -2;
    private static readonly TimeSpan Far = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan Quick = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan Slow = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BetweenRoundTrips = TimeSpan.FromSeconds(5);

    private readonly RespWriter _requests = new();
    private readonly SyncBatch _batch = new();
    private byte[][] _given = [];
    // With those that are asked for once more behind them.
    private byte[][] _keys = [];
    // How many of those have come, and how many behind them are asked for.
    private int _read;
    private int _asked;
    private int _together = AtFirst;
    // The first key of those that had no answer, until it has one: so long no more are asked for together.
    private byte[]? _late;
    private int _timeouts;
    private TimeSpan _roundTrip;
    private long _roundTripNs;
    // A time to live that is left becomes a time by the source's.
    private ServerClock _clock = server.Clock;
    private long _askedMs;
    private long _heldNs;
    private long _done;
    // What is not passed yet is not done: counts and shares of it go together.
    private int _copied;

    public long Done
    {
        get => Volatile.Read(ref _done);
        set => Volatile.Write(ref _done, value);
    }

    // When the oldest of the changes was told that the next keys are asked for; 0 where a scan came to them.
    public long ToldNs { get; set; }

    // Pages and values, also of an earlier scan.
    public long Came { get; set; }

    // One of nothing tells whether the run goes on.
    public void Pass(ISyncSink sink)
    {
        var began = MonotonicClock.NowNs();
        Done += _copied;
        _copied = 0;
        sink.Pass(_batch);
        _heldNs += MonotonicClock.NowNs() - began;
    }

    // What was sent behind the first questions is read behind the first answers. After it has failed it goes on where
    // it was, if it is given the same keys.
    public void Copy(
        RedisPipeline pipeline, byte[][] keys, int database, ISyncSink sink, bool deletes = false,
        Action? whenAsked = null, CancellationToken stop = default)
    {
        if (keys != _given)
            (_given, _keys, _read, _asked) = (keys, keys, 0, 0);
        while (_read < _keys.Length || whenAsked is not null)
        {
            stop.ThrowIfCancellationRequested();
            var some = _keys[_read..Math.Min(_read + _together, _keys.Length)];
            var (began, bytes) = (MonotonicClock.NowNs(), pipeline.Bytes);
            (_asked, _heldNs) = (some.Length, 0);
            Send(pipeline, some);
            whenAsked?.Invoke();
            whenAsked = null;
            Read(pipeline, some, database, sink, deletes, stop);
            if (Array.Exists(some, IsLate))
                _late = null;
            var took = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - began - _heldNs);
            Adapt(pipeline, some.Length, took, pipeline.Bytes - bytes);
        }

        (_given, _keys, _read) = ([], [], 0);
        // One that is no longer there is not come to again.
        if (!deletes)
            _late = null;
    }

    // How far away the source is, which is no fault of the keys, and its clock. Of two, as the source may pause once.
    public void MeasureSource(RedisPipeline pipeline)
    {
        _roundTrip = TimeSpan.MaxValue;
        for (var i = 0; i < 2; i++)
        {
            var (before, began) = (ServerClock.MonotonicMs, MonotonicClock.NowNs());
            _requests.Clear();
            _requests.WriteRequest("TIME");
            pipeline.Send(_requests.Written);
            var time = Require(pipeline, "TIME");
            _roundTripNs = MonotonicClock.NowNs();
            var took = TimeSpan.FromNanoseconds(_roundTripNs - began);
            if (took >= _roundTrip)
                continue;
            _roundTrip = took;
            time.MoveNext();
            var seconds = Number(time.Content);
            time.MoveNext();
            _clock = new ServerClock(
                (seconds * 1000) + (Number(time.Content) / 1000), before, ServerClock.MonotonicMs);
        }
    }

    // After the connection was lost before all of them came. False where it cannot.
    public bool AskLess(string name, bool isTimeout)
    {
        if (_asked == 0)
            return false;
        var first = _keys[_read];
        _timeouts = isTimeout && _asked == 1 && IsLate(first) ? _timeouts + 1 : 0;
        if (_timeouts == MostTimeouts)
        {
            throw new TargetLostException(
                $"The source {name} did not answer for a single key in time, again and again; --command-timeout says "
                    + "how long that may take.");
        }

        var wasMore = _asked > 1;
        (_late, _together, _asked) = (first, Math.Max(1, _asked / 4), 0);
        return wasMore;
    }

    private void Adapt(RedisPipeline pipeline, int asked, TimeSpan took, long bytes)
    {
        var isQuick = took - _roundTrip < Quick;
        if (!isQuick && MonotonicClock.NowNs() - _roundTripNs > BetweenRoundTrips.InNanoseconds)
        {
            MeasureSource(pipeline);
            isQuick = took - _roundTrip < Quick;
        }

        if (isQuick && _late is null)
            _together = Math.Min(_together * 2, _roundTrip < Far ? MostNear : MostFar);
        else if (took - _roundTrip > Slow)
            _together = Math.Max(1, Math.Min(_together, asked) / 4);
        if (asked > 0)
            _together = (int)Math.Clamp(EnoughBytes * asked / bytes, 1, _together);
    }

    private bool IsLate(byte[] key) => _late is not null && key.AsSpan().SequenceEqual(_late);

    private void Send(RedisPipeline pipeline, byte[][] keys)
    {
        _requests.Clear();
        foreach (var key in keys)
        {
            // Before DUMP, which does not count as a use either.
            if (use != KeyUse.None)
                WriteOf(_requests, "OBJECT"u8, use == KeyUse.Idle ? "IDLETIME"u8 : "FREQ"u8, key);
            WriteOf(_requests, server.KnowsExpireTime ? "PEXPIRETIME"u8 : "PTTL"u8, default, key);
            WriteOf(_requests, "DUMP"u8, default, key);
        }

        // What is left to live counts from here, whenever the answer is read.
        _askedMs = _clock.NowMs;
        if (keys.Length > 0)
            pipeline.Send(_requests.Written, keys.Length * (use == KeyUse.None ? 2 : 3));
    }

    private void Read(
        RedisPipeline pipeline, byte[][] keys, int database, ISyncSink sink, bool deletes, CancellationToken stop)
    {
        foreach (var key in keys)
        {
            stop.ThrowIfCancellationRequested();
            var known = -1L;
            if (_batch.IsEmpty)
                _batch.ReceivedNs = ToldNs;
            // A server that evicts the other way does not know it: then the key goes without.
            if (use != KeyUse.None && pipeline.Await("OBJECT") is { Type: RespType.Integer } reply)
                known = reply.Number;
            var expiry = Require(pipeline, "PTTL").Number;
            var dump = Require(pipeline, "DUMP");
            var isAgain = expiry == Missing && !dump.IsNull;
            if (isAgain)
            {
                // Made anew between the two, perhaps with a time to live.
                _keys = [.. _keys, key];
            }
            else if (!dump.IsNull)
            {
                if (_batch.ReceivedNs == 0)
                    _batch.ReceivedNs = MonotonicClock.NowNs();
                ref var entry = ref _batch.AddRestore(key, pipeline.MemoryOf(dump.Content), database);
                // Of PTTL 0 is less than a millisecond that is left.
                entry.ExpiresAtMs = expiry < 0 ? 0
                    : server.KnowsExpireTime ? expiry : _askedMs + expiry;
                if (use == KeyUse.Idle)
                    entry.IdleSeconds = known;
                else if (known >= 0)
                    entry.Frequency = (int)Math.Min(known, 255);
            }
            else if (deletes)
            {
                var delete = _batch.Make(2);
                delete.WriteBulkString("DEL"u8);
                delete.WriteBulkString(key);
                _batch.AddMade(database);
            }

            _copied += isAgain ? 0 : 1;
            Came++;
            _read++;
            _asked--;
            if (_batch.IsFull(FullBatch))
                Pass(sink);
        }

        // Also of keys that are gone.
        if (_copied > 0)
            Pass(sink);
    }
}
