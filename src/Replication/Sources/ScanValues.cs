using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Sync;
using RedisLatency.Replication.Targets;
using static RedisLatency.Replication.Sources.ScanReplies;

namespace RedisLatency.Replication.Sources;

// The values of keys that a scan has come to: asked for, read and passed on. A server has all answers to what it was
// sent at once in its memory before it sends the first, so of keys with long values few are asked for together.
internal sealed class ScanValues(TargetServer server, KeyUse use)
{
    private const int FullBatch = 256 << 10;
    private const int AtFirst = 8;
    private const int Most = 1024;
    private const int MostTimeouts = 2;
    private static readonly TimeSpan Quick = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan Slow = TimeSpan.FromSeconds(1);

    private readonly RespWriter _requests = new();
    private readonly RespWriter _delete = new();
    private readonly CommandFrames _frames = new();
    private readonly SyncBatch _batch = new();
    // Those whose values came before the connection was lost.
    private readonly HashSet<ChangedKey> _passed = [];
    private byte[][] _keys = [];
    private int _database;
    private int _read;
    // How many behind those that were read are asked for.
    private int _asked;
    private int _together = AtFirst;
    // The first key of those that had no answer in time, until it has one: so long no more are asked for together.
    private byte[]? _late;
    private int _timeouts;
    private long _askedMs;
    private long _heldNs;
    private long _done;

    // Of this machine's clock: a time to live that is left becomes a time by the source's.
    public long ClockAheadMs { get; set; }

    // How far away the source is, which is no fault of the keys.
    public TimeSpan RoundTrip { get; set; }

    public long Done
    {
        get => Volatile.Read(ref _done);
        set => Volatile.Write(ref _done, value);
    }

    // One of nothing tells whether the run goes on.
    public void Pass(ISyncSink sink)
    {
        var began = MonotonicClock.NowNs();
        sink.Pass(_batch);
        _heldNs += MonotonicClock.NowNs() - began;
    }

    // What was sent behind the first questions is read behind the first answers. After it has failed it goes on where
    // it was, with the same keys.
    public void Copy(
        RedisPipeline pipeline, byte[][] keys, int database, ISyncSink sink, bool deletes = false,
        Action? whenAsked = null, CancellationToken stop = default)
    {
        foreach (var key in _keys.AsSpan(0, _read))
            _passed.Add(NameOf(key, _database));
        if (_passed.Count > 0)
            keys = [.. keys.Where(key => !_passed.Contains(NameOf(key, database)))];
        (_keys, _database, _read) = (keys, database, 0);
        while (_read < keys.Length || whenAsked is not null)
        {
            stop.ThrowIfCancellationRequested();
            var some = keys[_read..Math.Min(_read + _together, keys.Length)];
            var began = MonotonicClock.NowNs();
            (_asked, _heldNs) = (some.Length, 0);
            Send(pipeline, some);
            whenAsked?.Invoke();
            whenAsked = null;
            Read(pipeline, some, database, sink, deletes);
            if (Array.Exists(some, IsLate))
                _late = null;
            var took = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - began - _heldNs) - RoundTrip;
            if (took < Quick && _late is null)
                _together = Math.Min(_together * 2, Most);
            else if (took > Slow)
                _together = Math.Max(1, Math.Min(_together, some.Length) / 4);
        }

        (_keys, _read) = ([], 0);
        _passed.Clear();
        // One that is no longer there is not come to again.
        if (!deletes)
            _late = null;
    }

    // After one of them had no answer in time.
    public void AskLess(string name)
    {
        if (_asked == 0)
            return;
        var first = _keys[_read];
        _timeouts = _asked == 1 && IsLate(first) ? _timeouts + 1 : 0;
        if (_timeouts == MostTimeouts)
        {
            throw new TargetLostException(
                $"The source {name} did not answer for a single key in time, again and again; --command-timeout says "
                    + "how long that may take.");
        }

        (_late, _together, _asked) = (first, Math.Max(1, _asked / 4), 0);
    }

    private bool IsLate(byte[] key) => _late is not null && key.AsSpan().SequenceEqual(_late);

    private static ChangedKey NameOf(byte[] key, int database) => new(database, Encoding.Latin1.GetString(key));

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
        _askedMs = UnixTime.NowMs();
        if (keys.Length > 0)
            pipeline.Send(_requests.Written, keys.Length * (use == KeyUse.None ? 2 : 3));
    }

    private void Read(RedisPipeline pipeline, byte[][] keys, int database, ISyncSink sink, bool deletes)
    {
        foreach (var key in keys)
        {
            var known = -1L;
            // A server that evicts the other way does not know it: then the key goes without.
            if (use != KeyUse.None && Next(pipeline) is { Type: RespType.Integer } reply)
                known = reply.Number;
            var expiry = Require(Next(pipeline), "PTTL").Number;
            var dump = Require(Next(pipeline), "DUMP");
            if (!dump.IsNull)
            {
                if (_batch.IsEmpty)
                    _batch.ReceivedNs = MonotonicClock.NowNs();
                ref var entry = ref _batch.AddRestore(key, pipeline.MemoryOf(dump.Content), database);
                // Of PTTL 0 is less than a millisecond that is left.
                entry.ExpiresAtMs = expiry < 0 ? 0
                    : server.KnowsExpireTime ? expiry : _askedMs + ClockAheadMs + expiry;
                if (use == KeyUse.Idle)
                    entry.IdleSeconds = known;
                else if (known >= 0)
                    entry.Frequency = (int)Math.Min(known, 255);
            }
            else if (deletes)
            {
                _delete.Clear();
                WriteOf(_delete, "DEL"u8, default, key);
                _batch.AddCommand(_delete.Written, _frames, database);
            }

            Done++;
            _read++;
            _asked--;
            if (_batch.IsFull(FullBatch))
                Pass(sink);
        }

        if (!_batch.IsEmpty)
            Pass(sink);
    }
}
