using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// The way of one shard's entries to the connections of a target. A slot's entries go over one connection, in their
/// order; what concerns several connections waits for all that came before, and is waited for.
/// </summary>
internal sealed class ShardLanes(RedisWriter writer, SyncCounts counts) : IShardWriter
{
    private const int FullChunk = 64 << 10;
    private const int MostMarks = 4096;

    private readonly Dictionary<TargetLane, LaneShare> _shares = [];
    private readonly Dictionary<TargetLane, LaneChunk> _open = [];
    private readonly Queue<Mark> _marks = new();
    private readonly object _gate = new();
    // Of the keys of a value in parts, of which a function may make several: whether they stay as they are.
    private readonly Dictionary<(int Database, string Key), bool> _stays = [];
    private readonly List<int> _keys = [];
    private readonly CommandFrames _frames = new();
    private readonly RespWriter _delete = new();
    private SlotMap? _map = writer.Map?.Current;
    private long _applied = SyncEntry.NoOffset;
    private int _database;
    private int _value;
    private volatile bool _isAwaited;

    public long AppliedOffset
    {
        get
        {
            lock (_marks)
            {
                while (_marks.TryPeek(out var mark) && mark.IsReached)
                    _applied = _marks.Dequeue().Offset;
                return _applied;
            }
        }
    }

    public void Write(SyncBatch batch, ReadOnlySpan<SyncEntry> entries)
    {
        if (writer.Map is { } map && !ReferenceEquals(map.Current, _map))
        {
            // Before that, the old owners' connections see to what moved.
            AwaitApplied();
            _map = map.Current;
        }

        if (entries.Length > 1)
        {
            WriteTransaction(batch, entries);
            return;
        }

        ref readonly var entry = ref entries[0];
        if (entry.Value == 0 || !LeavesOut(batch, entry))
            WriteAlone(batch, entry);
    }

    private void WriteAlone(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Slot >= 0 || writer.HasOneLane)
        {
            Write(writer.LaneOf(_map, entry.Slot), batch, entry);
            return;
        }

        // Keys that no slot holds together, or none.
        AwaitApplied();
        foreach (var lane in writer.LanesFor(_map, entry.Slot))
            Write(lane, batch, entry);
        AwaitApplied();
    }

    public void Flush(long offset)
    {
        foreach (var (lane, chunk) in _open)
            lane.Send(chunk);
        _open.Clear();
        if (offset == SyncEntry.NoOffset)
            return;
        var mark = new Mark(offset, [.. _shares.Values.Select(share => (share, share.Written))]);
        lock (_marks)
        {
            // Far behind, a coarser answer is enough.
            if (_marks.Count >= MostMarks && AppliedOffset < offset && _marks.Count >= MostMarks)
                return;
            _marks.Enqueue(mark);
        }
    }

    public void AwaitApplied()
    {
        Flush(SyncEntry.NoOffset);
        _isAwaited = true;
        lock (_gate)
        {
            while (_shares.Values.Any(share => share.Completed < share.Written))
            {
                writer.Fault.ThrowIfSet();
                Monitor.Wait(_gate, 50);
            }
        }

        _isAwaited = false;
    }

    /// <summary>Something was answered.</summary>
    public void Signal()
    {
        if (!_isAwaited)
            return;
        lock (_gate)
            Monitor.PulseAll(_gate);
    }

    private bool LeavesOut(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Value != _value)
            _stays.Clear();
        _value = entry.Value;
        _keys.Clear();
        writer.FindKeys(batch, entry, _keys);
        var leavesOut = false;
        foreach (var word in _keys)
        {
            var key = batch.Word(entry, word);
            var name = (entry.Database, Encoding.Latin1.GetString(key));
            if (!_stays.TryGetValue(name, out var stays) && entry.Part != ValuePart.None)
                _stays[name] = stays = Stays(batch, entry, key);
            leavesOut |= stays;
        }

        return leavesOut;
    }

    // A value in parts begins with DEL, which asks for nothing, and which a function may leave out.
    private bool Stays(SyncBatch batch, in SyncEntry entry, ReadOnlySpan<byte> key)
    {
        AwaitApplied();
        if (writer.MayNotReplace(_map, entry, key))
        {
            counts.Skip(LaneRules.ThereAlready, key);
            return true;
        }

        if (entry.Part != ValuePart.First && writer.Replaces)
        {
            _delete.Clear();
            _delete.WriteArrayHeader(2);
            _delete.WriteBulkString("DEL"u8);
            _delete.WriteBulkString(key);
            var delete = batch.Replace(entry, _delete.Written, _frames);
            (delete.Command, delete.Slot) = (writer.Delete, entry.Slot);
            WriteAlone(batch, delete);
        }

        return false;
    }

    private void WriteTransaction(SyncBatch batch, ReadOnlySpan<SyncEntry> entries)
    {
        var slot = SlotOf(entries);
        var alone = slot < 0 && !writer.HasOneLane;
        if (alone)
            AwaitApplied();
        var lane = writer.LaneOf(_map, Math.Max(slot, 0));
        var chunk = ChunkOf(lane, batch, entries[0].Database);
        var start = chunk.Requests.Length;
        var (isRepeatable, needsKey, keysEndAtMs) = (true, false, 0L);
        chunk.Requests.WriteRequest("MULTI");
        var database = entries[0].Database;
        var replies = 2;
        long[]? ends = null;
        foreach (ref readonly var entry in entries)
        {
            if (entry.Database != database)
            {
                database = entry.Database;
                Require(database);
                chunk.Requests.WriteRequest(
                    "SELECT", database.ToString(System.Globalization.CultureInfo.InvariantCulture));
                replies++;
            }

            chunk.Requests.WriteRaw(batch.BytesOf(entry));
            isRepeatable &= writer.IsRepeatable(batch, entry);
            needsKey |= writer.NeedsKey(entry);
            if (entry.ExpiresAtMs != 0)
            {
                keysEndAtMs = SyncEntry.Earlier(keysEndAtMs, entry.ExpiresAtMs);
                // Before each of them there may be a SELECT.
                ends ??= new long[1 + (2 * entries.Length)];
                ends[replies - 1] = entry.ExpiresAtMs;
            }

            replies++;
        }

        chunk.Requests.WriteRequest("EXEC");
        Add(lane, chunk, new SentUnit
        {
            Start = start,
            Length = chunk.Requests.Length - start,
            Replies = replies,
            Database = entries[0].Database,
            // Where it is turned away as a whole, the connection stays where it was.
            EndsIn = database == entries[0].Database ? database : SentUnit.NoDatabase,
            Command = entries[0].Command,
            Slot = slot,
            Kind = UnitKind.Transaction,
            Entries = entries.Length,
            IsRepeatable = isRepeatable,
            NeedsKey = needsKey,
            KeysEndAtMs = keysEndAtMs,
            EndsAtMs = ends,
            Commands = SentUnit.CommandsOf(entries),
        });
        if (alone)
            AwaitApplied();
    }

    private static int SlotOf(ReadOnlySpan<SyncEntry> entries)
    {
        var slot = entries[0].Slot;
        foreach (ref readonly var entry in entries)
        {
            if (entry.Slot != slot)
                return SyncEntry.ManySlots;
        }

        return slot;
    }

    private void Write(TargetLane lane, SyncBatch batch, in SyncEntry entry)
    {
        var isLent = entry.Length > LongRequests.MostBytes;
        var chunk = ChunkOf(lane, batch, entry.Database, entry.Length);
        var start = chunk.Requests.Length;
        var unit = new SentUnit
        {
            Start = start,
            Replies = 1,
            Database = entry.Database,
            EndsIn = entry.Database,
            Command = entry.Command,
            Slot = entry.Slot,
            Entries = entry.IsOwn ? 0 : 1,
            Part = entry.Part,
        };
        if (entry.Kind == EntryKind.Restore)
        {
            var key = writer.Restore.Write(chunk.Requests, batch, entry, isLent ? chunk : null);
            (unit.Kind, unit.IsRepeatable) = (UnitKind.Restore, true);
            (unit.KeyStart, unit.KeyLength) = (key.Start, key.Length);
        }
        else
        {
            if (isLent)
                chunk.Lend(batch.MemoryOf(entry));
            else
                chunk.Requests.WriteRaw(batch.BytesOf(entry));
            (unit.IsRepeatable, unit.NeedsKey) = (writer.IsRepeatable(batch, entry), writer.NeedsKey(entry));
            unit.KeysEndAtMs = entry.ExpiresAtMs;
            if (writer.NamingWord(entry) is > 0 and var word && batch.PlaceOf(entry, word) is var place)
                (unit.KeyStart, unit.KeyLength) = (start + place.Start, place.Length);
        }

        unit.Length = chunk.Length - start;
        Add(lane, chunk, unit);
        if (isLent)
            AwaitApplied();
    }

    private LaneChunk ChunkOf(TargetLane lane, SyncBatch batch, int database, int length = 0)
    {
        Require(database);
        var isLong = length >= LongRequests.Least;
        // A chunk is of one database: the connection selects between them.
        if (_open.TryGetValue(lane, out var chunk) && (chunk.Database != database || isLong))
        {
            _open.Remove(lane);
            lane.Send(chunk);
            chunk = null;
        }

        if (chunk is null)
        {
            chunk = isLong && length <= LongRequests.MostBytes ? writer.Long.Rent(length) : lane.Rent();
            if (!_shares.TryGetValue(lane, out var share))
            {
                lock (_gate)
                    _shares[lane] = share = new LaneShare(this, counts);
            }

            (chunk.Share, chunk.ReceivedNs) = (share, batch.ReceivedNs);
            _open[lane] = chunk;
        }

        return chunk;
    }

    private void Require(int database)
    {
        if (database == _database)
            return;
        writer.RequireDatabase(database);
        _database = database;
    }

    private void Add(TargetLane lane, LaneChunk chunk, in SentUnit unit)
    {
        chunk.Add(unit);
        chunk.Owned.Written++;
        if (chunk.Length < FullChunk)
            return;
        _open.Remove(lane);
        lane.Send(chunk);
    }

    private readonly record struct Mark(long Offset, (LaneShare Share, long Written)[] Shares)
    {
        public bool IsReached => Array.TrueForAll(Shares, one => one.Share.Completed >= one.Written);
    }
}
