using System.Text;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Checkpoints;
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

    private static readonly long BetweenPositionsNs = TimeSpan.FromSeconds(1).InNanoseconds;

    private readonly Dictionary<TargetLane, LaneShare> _shares = [];
    private readonly Dictionary<TargetLane, LaneChunk> _open = [];
    private readonly Queue<Mark> _marks = new();
    private readonly object _gate = new();
    // Of the keys of a value in parts, of which a function may make several: whether they stay as they are.
    private readonly Dictionary<(int Database, string Key), bool> _stays = [];
    private readonly List<int> _keys = [];
    private SlotMap? _map = writer.Map?.Current;
    private StreamPosition _applied = StreamPosition.None;
    private StreamPosition _saved = StreamPosition.None;
    private long _savedNs;
    private int _database;
    private int _value;
    private volatile bool _isAwaited;

    /// <summary>Null where the target is told nothing.</summary>
    public ShardCheckpoint? Checkpoint { get; private set; }

    public long AppliedOffset => Applied.Offset;

    private StreamPosition Applied
    {
        get
        {
            lock (_marks)
            {
                while (_marks.TryPeek(out var mark) && mark.IsReached)
                    _applied = _marks.Dequeue().Position;
                return _applied;
            }
        }
    }

    public void Keep(ShardCheckpoint checkpoint)
    {
        Checkpoint = checkpoint;
        if (checkpoint.Resumed is { } resumed)
            _applied = resumed.Head.Position;
    }

    public void RemoveCheckpoint()
    {
        if (Checkpoint is null)
            return;
        WriteOwn(Checkpoint.WriteRemoval);
        AwaitApplied();
    }

    public void SaveCheckpoint()
    {
        // Nobody waits at the end for a target that is away: what the position lacks, marks have.
        if (writer.Lost is not null || Applied == _saved)
            return;
        SavePosition();
        AwaitApplied();
    }

    public void Write(SyncBatch batch, ReadOnlySpan<SyncEntry> entries)
    {
        if (writer.Map is { } map && !ReferenceEquals(map.Current, _map))
        {
            // Before that, the old owners' connections see to what moved.
            AwaitApplied();
            _map = map.Current;
            writer.RequireSameServers();
        }

        if (Checkpoint?.Resumed?.Covers(entries[0].Slot, entries[^1].Offset) == true)
        {
            counts.CountRepeated(entries);
            return;
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
        // A library may be refused, and come again then: nothing is marked with it, nor behind it.
        var isLibrary = writer.IsLibrary(entry);
        if ((entry.Slot >= 0 || writer.HasOneLane) && !isLibrary)
        {
            Write(writer.LaneOf(_map, entry.Slot), batch, entry);
            return;
        }

        // Keys that no slot holds together, or none.
        AwaitApplied();
        if (Checkpoint is { IsCluster: false } && !isLibrary && entry.Offset != SyncEntry.NoOffset)
        {
            WriteTogether(writer.LaneOf(_map, 0), batch, [entry], ShardCheckpoint.AllGroups);
        }
        else
        {
            foreach (var lane in writer.LanesFor(_map, entry.Slot))
                Write(lane, batch, entry);
        }

        AwaitApplied();
        if (Checkpoint is { IsCluster: true } checkpoint && entry.Offset is > 0 and var offset)
        {
            // It may have emptied all, the checkpoint too.
            checkpoint.MarkAll(offset);
            WriteOwn(checkpoint.WriteHead);
            AwaitApplied();
        }
    }

    public void Flush(StreamPosition position)
    {
        SendAll();
        if (!position.IsNone)
            Note(position);
        if (Checkpoint is not null && MonotonicClock.NowNs() - _savedNs > BetweenPositionsNs && Applied != _saved)
        {
            SavePosition();
            SendAll();
        }
    }

    private void Note(StreamPosition position)
    {
        var mark = new Mark(position, [.. _shares.Values.Select(share => (share, share.Written))]);
        lock (_marks)
        {
            // Far behind, a coarser answer is enough.
            if (_marks.Count >= MostMarks && AppliedOffset < position.Offset && _marks.Count >= MostMarks)
                return;
            _marks.Enqueue(mark);
        }
    }

    private void SendAll()
    {
        foreach (var (lane, chunk) in _open)
            Send(lane, chunk);
        _open.Clear();
    }

    private void Send(TargetLane lane, LaneChunk chunk)
    {
        EndTransaction(chunk);
        lane.Send(chunk);
    }

    // Up to there everything was answered.
    private void SavePosition()
    {
        if (Checkpoint is not { } checkpoint || Applied is not { IsNone: false } applied)
            return;
        (_saved, _savedNs) = (applied, MonotonicClock.NowNs());
        checkpoint.SetPosition(applied);
        WriteOwn(checkpoint.WriteHead);
    }

    // To each primary.
    private void WriteOwn(Action<RespWriter, int> write)
    {
        foreach (var slot in Checkpoint!.SlotsOf(_map))
            WriteOwn(slot, write);
    }

    private void WriteOwn(int slot, Action<RespWriter, int> write)
    {
        var lane = writer.LaneOf(_map, slot);
        var chunk = ChunkOf(lane, 0, 0);
        EndTransaction(chunk);
        var start = chunk.Requests.Length;
        write(chunk.Requests, slot);
        Add(lane, chunk, new SentUnit
        {
            Start = start,
            Length = chunk.Requests.Length - start,
            Replies = 1,
            Command = writer.Hash,
            Slot = slot,
            IsRepeatable = true,
        });
    }

    public void AwaitApplied()
    {
        SendAll();
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
            var request = batch.Make(2);
            request.WriteBulkString("DEL"u8);
            request.WriteBulkString(key);
            var delete = batch.Replace(entry);
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
        var group = alone || Checkpoint is not { } checkpoint ? ShardCheckpoint.AllGroups : checkpoint.GroupOf(slot);
        WriteTogether(lane, batch, entries, group);
        // Without a mark no other one joins it.
        if (Checkpoint is null || entries[0].Offset == SyncEntry.NoOffset)
            EndTransaction(_open[lane]);
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
        if (Checkpoint is { } checkpoint && entry.Offset != SyncEntry.NoOffset && (entry.Slot >= 0 || writer.HasOneLane)
            && !writer.IsLibrary(entry)
            && checkpoint.GroupOf(entry.Slot) is var group
            && (_open.GetValueOrDefault(lane)?.Open?.Group == group || !writer.MayComeTwice(batch, entry)))
        {
            WriteTogether(lane, batch, [entry], group);
            return;
        }

        var isLent = entry.Length > LongRequests.MostBytes;
        var key = entry.Kind == EntryKind.Restore ? batch.Word(entry, 0).Length : 0;
        var chunk = ChunkOf(lane, batch.ReceivedNs, entry.Database, key + entry.Length, isLent);
        EndTransaction(chunk);
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
            var place = writer.Restore.Write(chunk.Requests, batch, entry, isLent ? chunk : null);
            (unit.Kind, unit.IsRepeatable) = (UnitKind.Restore, true);
            (unit.KeyStart, unit.KeyLength) = (place.Start, place.Length);
        }
        else
        {
            if (isLent)
                chunk.Lend(batch.MemoryOf(entry));
            else
                chunk.Requests.WriteRaw(batch.BytesOf(entry));
            (unit.IsRepeatable, unit.NeedsKey) = (writer.IsRepeatable(batch, entry), writer.NeedsKey(entry));
            if (writer.NamingWord(entry) is > 0 and var word && batch.PlaceOf(entry, word) is var place)
                (unit.KeyStart, unit.KeyLength) = (start + place.Start, place.Length);
        }

        unit.Length = chunk.Length - start;
        Add(lane, chunk, unit);
        if (isLent)
            AwaitApplied();
    }

    // With those of its group that are open, as one transaction.
    private void WriteTogether(TargetLane lane, SyncBatch batch, ReadOnlySpan<SyncEntry> entries, int group)
    {
        ref readonly var first = ref entries[0];
        // What came of one command of the source has one mark.
        if (_open.TryGetValue(lane, out var written) && written.Length >= FullChunk
            && written.Open?.Offset != first.Offset)
        {
            _open.Remove(lane);
            Send(lane, written);
        }

        var database = written?.Open is { } going && going.Group == group ? going.Database : first.Database;
        var isLent = entries.Length == 1 && first.Length > LongRequests.MostBytes;
        var chunk = ChunkOf(lane, batch.ReceivedNs, database, entries.Length == 1 ? first.Length : 0, isLent);
        if (chunk.Open is { } other && other.Group != group)
            EndTransaction(chunk);
        var open = chunk.Open ??= new LaneTransaction(chunk, group, first);
        foreach (ref readonly var entry in entries)
        {
            Require(entry.Database);
            open.Add(chunk.Requests, entry, writer.NeedsKey(entry), writer.IsRepeatable(batch, entry));
            if (isLent)
                chunk.Lend(batch.MemoryOf(entry));
            else
                chunk.Requests.WriteRaw(batch.BytesOf(entry));
        }

        if (isLent)
            AwaitApplied();
    }

    private void EndTransaction(LaneChunk chunk)
    {
        if (chunk.Open is not { } open)
            return;
        var unit = open.End(chunk, open.Offset == SyncEntry.NoOffset ? null : Checkpoint);
        chunk.Open = null;
        chunk.Add(unit);
        chunk.Owned.Written++;
    }

    private LaneChunk ChunkOf(TargetLane lane, long receivedNs, int database, int length = 0, bool isLent = false)
    {
        Require(database);
        var isLong = length >= LongRequests.Least;
        // A chunk is of one database: the connection selects between them.
        if (_open.TryGetValue(lane, out var chunk) && (chunk.Database != database || isLong))
        {
            _open.Remove(lane);
            Send(lane, chunk);
            chunk = null;
        }

        if (chunk is null)
        {
            chunk = isLong && !isLent ? writer.Long.Rent(length) : lane.Rent();
            if (!_shares.TryGetValue(lane, out var share))
            {
                lock (_gate)
                    _shares[lane] = share = new LaneShare(this, counts);
            }

            (chunk.Share, chunk.ReceivedNs) = (share, receivedNs);
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
        Send(lane, chunk);
    }

    private readonly record struct Mark(StreamPosition Position, (LaneShare Share, long Written)[] Shares)
    {
        public bool IsReached => Array.TrueForAll(Shares, one => one.Share.Completed >= one.Written);
    }
}
