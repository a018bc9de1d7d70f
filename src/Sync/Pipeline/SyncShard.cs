using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Sources;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Pipeline;

/// <summary>One reader's way to the target, and what is counted on it.</summary>
internal sealed class SyncShard : ISyncSink, IDisposable
{
    private readonly SyncTransform _transform;
    private readonly ISyncWriter _writer;
    private readonly IShardWriter _shardWriter;
    private readonly SessionEvents _events;
    private readonly RatePacer _pacer;
    private readonly SyncFault _fault;
    private readonly IStopToken _stop;
    private long _passedNs;
    private bool _hasBegun;
    private bool _goesOn;

    public SyncShard(
        ISyncReader reader, ISyncWriter writer, TransformPlan plan, CommandTable table, SessionEvents events,
        SyncFault fault, IStopToken stop, RatePacer pacer)
    {
        (Reader, _writer, _events, _pacer, _fault, _stop) = (reader, writer, events, pacer, fault, stop);
        Counts = new SyncCounts(table.All.Count);
        _transform = new SyncTransform(plan, table, Counts);
        _shardWriter = writer.Open(Counts);
    }

    public ISyncReader Reader { get; }

    public SyncCounts Counts { get; }

    public bool IsDone { get; set; }

    public long AppliedOffset => _shardWriter.AppliedOffset;

    // When what is on its way to the target's connections was received; 0 where nothing is.
    public long OldestNs => Volatile.Read(ref _passedNs);

    public void Pass(SyncBatch batch)
    {
        _fault.ThrowIfSet();
        if (batch.ReceivedNs == 0)
            batch.ReceivedNs = MonotonicClock.NowNs();
        Volatile.Write(ref _passedNs, batch.IsEmpty ? 0 : batch.ReceivedNs);
        if (!batch.IsEmpty)
            Begin();
        Write(batch, _transform.Process(batch));
        Volatile.Write(ref _passedNs, 0);
        batch.Clear();
    }

    public void Begin()
    {
        if (_hasBegun)
            return;
        _writer.Begin();
        if (!_goesOn)
            _shardWriter.RemoveCheckpoint();
        _hasBegun = true;
    }

    /// <summary>From now on the target is told how far it is; one that has all before goes on from there.</summary>
    public void Keep(ShardCheckpoint checkpoint)
    {
        _shardWriter.Keep(checkpoint);
        if (checkpoint.Resumed is not { } resumed)
            return;
        _goesOn = true;
        Reader.GoOnFrom(resumed.Head.Position);
    }

    public void SaveCheckpoint() => _shardWriter.SaveCheckpoint();

    // Where not all was read, the source may have given them more time.
    public void EndExpiredKeys()
    {
        var batch = new SyncBatch { ReceivedNs = MonotonicClock.NowNs() };
        if (Reader.Missing is null)
            Write(batch, _transform.EndExpiredKeys(batch));
    }

    public void AwaitApplied() => _shardWriter.AwaitApplied();

    private void Write(SyncBatch batch, ReadOnlySpan<SyncEntry> entries)
    {
        for (var first = 0; first < entries.Length;)
        {
            var end = first + 1;
            var number = entries[first].Transaction;
            while (number != 0 && end < entries.Length && entries[end].Transaction == number)
                end++;
            // What a function made of one command is not parted either.
            var last = end;
            while (number == 0 && entries[first].Offset != SyncEntry.NoOffset && last < entries.Length
                && entries[last].Transaction == 0 && entries[last].Offset == entries[first].Offset)
            {
                last++;
            }

            // A run that is stopped is not kept long by what was read already.
            if (!_stop.IsRequested && _pacer.Take(last - first) is var pause && pause > TimeSpan.Zero)
            {
                // What may go already does not wait with the rest.
                _shardWriter.Flush(StreamPosition.None);
                _fault.Ended.WaitHandle.WaitOne(pause);
                _fault.ThrowIfSet();
            }

            _shardWriter.Write(batch, entries[first..end]);
            for (first = end; first < last; first++)
                _shardWriter.Write(batch, entries[first..(first + 1)]);
        }

        _shardWriter.Flush(batch.Position);
    }

    public void Note(string kind, string text) => _events.Note(kind, text);

    public void Skip(string reason, ReadOnlySpan<byte> key) => Counts.Skip(reason, key);

    public void Fault(string text) => Counts.Fault(text);

    public void Dispose()
    {
        Reader.Dispose();
        _transform.Dispose();
    }
}
