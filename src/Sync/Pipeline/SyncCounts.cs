using System.Text;
using RedisLatency.Reports.Figures;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;

namespace RedisLatency.Sync.Pipeline;

/// <summary>
/// What became of one shard's entries. Its own thread counts what is read and left out, the connections to the target
/// what was written; any thread reads.
/// </summary>
internal sealed class SyncCounts(int commands)
{
    private const int MostReasons = 64;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, SkipReason> _skipped = [];
    private readonly HashSet<string> _faults = [];
    // The target's own commands may be learnt later.
    private readonly long[] _readBy = new long[commands + 1024];
    private readonly long[] _writtenBy = new long[commands + 1024];
    private long _read;
    private long _keys;
    private long _written;
    private long _commands;
    private long _skippedCount;
    private long _bytes;
    private long _rebuilt;
    private long _missed;

    /// <summary>Commands and keys that the source gave.</summary>
    public long Read => Volatile.Read(ref _read);

    /// <summary>Keys restored at the target, or built there by commands.</summary>
    public long Keys => Volatile.Read(ref _keys);

    /// <summary>Commands that the target has carried out.</summary>
    public long Commands => Volatile.Read(ref _commands);

    /// <summary>Commands and keys that the target has.</summary>
    public long Written => Volatile.Read(ref _written);

    /// <summary>Left out by filters, as asked.</summary>
    public long Filtered { get; private set; }

    /// <summary>Commands that were cut into several.</summary>
    public long Cut { get; set; }

    /// <summary>Transactions whose commands are not one at the target.</summary>
    public long TransactionsCut { get; set; }

    // Times to live that were over already.
    public long Extended { get; set; }

    // Of these those that no command had named by the end: they got the source's time back.
    public long Ended { get; set; }

    // Those that went to the target.
    public long Scripts { get; set; }

    // Commands that did not find at the target what they found at the source.
    public long Missed => Volatile.Read(ref _missed);

    public string FirstMissed { get; private set; } = string.Empty;

    /// <returns>How many there are by now.</returns>
    public long CountMissed(string command)
    {
        lock (_gate)
        {
            if (_missed == 0)
                FirstMissed = command;
            Volatile.Write(ref _missed, _missed + 1);
            return _missed;
        }
    }

    // Those that went to the target: FLUSHALL, FLUSHDB, SWAPDB.
    public long Emptied { get; set; }

    /// <summary>What could not be carried over, or was there already.</summary>
    public long Skipped => Volatile.Read(ref _skippedCount);

    /// <summary>Bytes of values and commands that were sent to the target.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    public IReadOnlyList<SkipReason> SkippedFor
    {
        get
        {
            lock (_gate)
                return [.. _skipped.Values];
        }
    }

    // Of the whole, and not of entries that were skipped.
    public IReadOnlyList<string> Faults
    {
        get
        {
            lock (_gate)
                return [.. _faults];
        }
    }

    public long ReadBy(CommandSpec command) => _readBy[command.Number];

    public long WrittenBy(CommandSpec command) => _writtenBy[command.Number];

    // Of a value in parts the last one counts.
    public void CountRead(in SyncEntry entry)
    {
        if (entry.Part is ValuePart.None or ValuePart.Last)
            Volatile.Write(ref _read, _read + 1);
    }

    public void CountFiltered(in SyncEntry entry) => Filtered += entry.Part is ValuePart.None or ValuePart.Last ? 1 : 0;

    /// <summary>What came again, and was brought to the target by a run before; it counts as filtered.</summary>
    public long Repeated { get; private set; }

    public void CountRepeated(ReadOnlySpan<SyncEntry> entries)
    {
        foreach (ref readonly var entry in entries)
        {
            CountFiltered(entry);
            Repeated += entry.IsOwn ? 0 : 1;
        }
    }

    public void CountRead(CommandSpec command) => _readBy[command.Number]++;

    /// <summary>Keys that were built by commands because the target refused to restore them.</summary>
    public long Rebuilt => Volatile.Read(ref _rebuilt);

    public void CountRebuilt() => Interlocked.Increment(ref _rebuilt);

    public void CountWritten(in SentUnit unit)
    {
        if (unit.Part is ValuePart.None or ValuePart.Last)
            Interlocked.Add(ref _written, unit.Entries);
        Interlocked.Add(ref _bytes, unit.Length);
        if (unit.Kind == UnitKind.Restore || unit.Part == ValuePart.Last)
            Interlocked.Increment(ref _keys);
        if (unit.Kind != UnitKind.Restore && unit.Part == ValuePart.None)
            Interlocked.Add(ref _commands, unit.Entries);
        if (unit.Kind is UnitKind.Command or UnitKind.Restore && unit.Entries > 0)
            Interlocked.Increment(ref _writtenBy[unit.Command]);
        foreach (var command in unit.Commands ?? [])
            Interlocked.Increment(ref _writtenBy[command]);
    }

    public void Fault(string text)
    {
        lock (_gate)
            _faults.Add(text);
    }

    public bool SkipsDamaged(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Kind != EntryKind.Damaged)
            return false;
        Skip(Encoding.UTF8.GetString(batch.BytesOf(entry)), batch.Word(entry, 0));
        return true;
    }

    public void Skip(string reason, ReadOnlySpan<byte> key)
    {
        Interlocked.Increment(ref _skippedCount);
        lock (_gate)
        {
            if (!_skipped.TryGetValue(reason, out var known))
            {
                if (_skipped.Count >= MostReasons)
                    reason = "other reasons";
                known = _skipped.GetValueOrDefault(reason) ?? new SkipReason(reason, KeyText.Of(key), 0);
            }

            _skipped[reason] = known with { Count = known.Count + 1 };
        }
    }
}
