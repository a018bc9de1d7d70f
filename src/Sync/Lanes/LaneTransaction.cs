using System.Globalization;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// Commands that are being written to a chunk as one transaction; where the target keeps a checkpoint, they are of one
/// group, with the mark that says so behind them.
/// </summary>
internal sealed class LaneTransaction
{
    private readonly List<int> _commands = [];
    private readonly int _start;
    private readonly int _first;
    private int _selected;
    private int _slot;
    private int _replies = 2;
    private bool _needsKey;
    private bool _isRepeatable = true;

    public LaneTransaction(LaneChunk chunk, int group, in SyncEntry first)
    {
        (Group, Database, _selected, _first, _slot) =
            (group, first.Database, first.Database, first.Command, first.Slot);
        _start = chunk.Length;
        chunk.Requests.WriteRequest("MULTI");
    }

    public int Group { get; }

    /// <summary>The one in which it begins, and ends.</summary>
    public int Database { get; }

    /// <summary>Of its last command.</summary>
    public long Offset { get; private set; }

    /// <summary>Notes a command, whose bytes are written behind.</summary>
    public void Add(RespWriter requests, in SyncEntry entry, bool needsKey, bool isRepeatable)
    {
        Select(requests, entry.Database);
        if (entry.Slot != _slot)
            _slot = SyncEntry.ManySlots;
        _needsKey |= needsKey;
        _isRepeatable &= isRepeatable;
        _commands.Add(entry.Command);
        Offset = entry.Offset;
        _replies++;
    }

    /// <summary>Writes its end.</summary>
    public SentUnit End(LaneChunk chunk, ShardCheckpoint? checkpoint)
    {
        if (checkpoint is not null)
        {
            Select(chunk.Requests, 0);
            checkpoint.WriteMark(chunk.Requests, Group, Offset);
            _replies++;
        }

        Select(chunk.Requests, Database);
        chunk.Requests.WriteRequest("EXEC");
        return new SentUnit
        {
            Start = _start,
            Length = chunk.Length - _start,
            Replies = _replies,
            Database = Database,
            EndsIn = Database,
            Command = _first,
            Commands = [.. _commands],
            Slot = _slot,
            Kind = UnitKind.Transaction,
            Entries = _commands.Count,
            NeedsKey = _needsKey,
            IsRepeatable = checkpoint is null && _isRepeatable,
            Mark = checkpoint is null ? 0 : Offset,
            MarkGroup = Group,
        };
    }

    private void Select(RespWriter requests, int database)
    {
        if (database == _selected)
            return;
        requests.WriteRequest("SELECT", database.ToString(CultureInfo.InvariantCulture));
        _selected = database;
        _replies++;
    }
}
