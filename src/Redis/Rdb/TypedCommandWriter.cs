using System.Globalization;
using System.Text.Unicode;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>Writes what it is shown of a value as commands, each once it is full.</summary>
internal sealed class TypedCommandWriter(RdbFormat target, TypedCommandOptions options) : IRdbValueVisitor
{
    // Room for the header, which is known last.
    private const int HeaderRoom = 16;
    private const int MostKept = 4 << 20;

    private RespWriter _request = new();
    private readonly ValueBuffer _key = new();
    private readonly ValueBuffer _group = new();
    private readonly ValueBuffer _consumer = new();
    private readonly FieldExpiries _expiries = new();
    private RequestHandler _handle = static _ => { };
    private OrphanedPending? _orphans;
    private StreamState? _state;
    private StreamId _first;
    private string _command = string.Empty;
    private int _words;
    private int _elements;
    private int _sent;

    public TypedLosses Losses { get; private set; }

    private bool HasFieldExpiry => target.IsValkey || target.Version >= 12;

    private bool HasStreamCounts => target.IsValkey || target.Version >= 10;

    public void Begin(ReadOnlySpan<byte> key, OrphanedPending? orphans, RequestHandler handle)
    {
        _key.Clear();
        _key.Append(key);
        _request.Clear();
        _expiries.Clear();
        (_handle, _orphans, _state, _command, _words, _elements, _sent) =
            (handle, orphans, null, string.Empty, 0, 0, 0);
        _first = new(ulong.MaxValue, ulong.MaxValue);
        Losses = TypedLosses.None;
        if (options.Replaces)
            Start("DEL");
    }

    public int Finish(long? expiresAtMs)
    {
        Flush();
        FinishStream();
        if (expiresAtMs is { } expiry)
        {
            Start("PEXPIREAT");
            Add(expiry);
        }

        Flush();
        return _sent;
    }

    public void VisitString(ReadOnlySpan<byte> part)
    {
        Start(_command is "SET" or "APPEND" ? "APPEND" : "SET");
        Add(part);
        Flush();
    }

    public void VisitItem(ReadOnlySpan<byte> item)
    {
        Continue("RPUSH");
        Add(item);
    }

    public void VisitMember(ReadOnlySpan<byte> member)
    {
        Continue("SADD");
        Add(member);
    }

    public void VisitScored(ReadOnlySpan<byte> member, ReadOnlySpan<byte> score)
    {
        Continue("ZADD");
        Add(score);
        Add(member);
    }

    public void VisitField(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiresAtMs)
    {
        Continue("HSET");
        Add(field);
        Add(value);
        if (expiresAtMs == 0)
            return;
        if (HasFieldExpiry)
            _expiries.Add(expiresAtMs, field);
        else
            Losses |= TypedLosses.FieldExpiry;
    }

    public void VisitElement(ulong index, ReadOnlySpan<byte> value)
    {
        Continue("ARMSET");
        Add(index);
        Add(value);
    }

    // It takes the next index.
    public void VisitInserted(ulong index)
    {
        Start("ARSEEK");
        Add(index + 1);
    }

    public void VisitStreamEntry(StreamId id, int fields)
    {
        AddOrphansBefore(id);
        if (id.CompareTo(_first) < 0)
            _first = id;
        Start("XADD");
        Add(id);
    }

    public void VisitStreamField(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        Add(field);
        Add(value);
    }

    public void VisitStreamState(in StreamState state)
    {
        _state = state;
        AddOrphansBefore(new(ulong.MaxValue, ulong.MaxValue));
        if (state.Length > 0 || _orphans is { Added.Count: > 0 })
            return;
        // As Redis rewrites its own append-only file: a stream without entries is made by one that goes at once.
        Start("XADD");
        Add("MAXLEN"u8);
        Add(0);
        Add("0-1"u8);
        Add("x"u8);
        Add("y"u8);
    }

    public void VisitGroup(ReadOnlySpan<byte> name, StreamId last, long? entriesRead)
    {
        _group.Clear();
        _group.Append(name);
        Start("XGROUP", "CREATE"u8);
        Add(name);
        Add(last);
        if (entriesRead is not { } read)
            return;
        if (HasStreamCounts)
        {
            Add("ENTRIESREAD"u8);
            Add(read);
        }
        else
        {
            Losses |= TypedLosses.StreamCounts;
        }
    }

    public void VisitConsumer(ReadOnlySpan<byte> name, int pending)
    {
        _consumer.Clear();
        _consumer.Append(name);
        if (pending > 0)
            return;
        if (!HasStreamCounts)
        {
            Losses |= TypedLosses.IdleConsumers;
            return;
        }

        Start("XGROUP", "CREATECONSUMER"u8);
        Add(_group.Written);
        Add(name);
    }

    public void VisitPending(StreamId id, in StreamDelivery delivery)
    {
        // Of a stream that was not looked through before, it may be one that was deleted.
        if (_orphans is null)
            Losses |= TypedLosses.DeletedPending;
        Start("XCLAIM");
        Add(_group.Written);
        Add(_consumer.Written);
        Add(0);
        Add(id);
        Add("TIME"u8);
        Add(delivery.TimeMs);
        Add("RETRYCOUNT"u8);
        Add((long)delivery.Count);
        Add("JUSTID"u8);
        Add("FORCE"u8);
    }

    public void VisitUnowned(StreamId id, in StreamDelivery delivery) => Losses |= TypedLosses.UnownedPending;

    public void VisitProducers() => Losses |= TypedLosses.ProducerIds;

    // Only an entry that is there can be claimed: those that were deleted are added for the while.
    private void AddOrphansBefore(StreamId id)
    {
        while (_orphans is not null && _orphans.TryTakeBefore(id, out var orphan))
        {
            Start("XADD");
            Add(orphan);
            Add("x"u8);
            Add("y"u8);
        }
    }

    private void FinishStream()
    {
        if (_state is not { } state)
            return;
        if (_orphans is { Added: { Count: > 0 } orphans })
            Remove(orphans, state);

        Start("XSETID");
        Add(state.Last);
        if (state is not { Added: { } added, Deleted: { } deleted })
            return;
        if (!HasStreamCounts)
        {
            Losses |= TypedLosses.StreamCounts;
            return;
        }

        Add("ENTRIESADDED"u8);
        Add((long)added);
        Add("MAXDELETEDID"u8);
        Add(deleted);
    }

    // A stream remembers what XDEL removed; where it knows of none, they were trimmed, which leaves no trace.
    private void Remove(List<StreamId> orphans, in StreamState state)
    {
        if (HasStreamCounts && state.Deleted == default(StreamId) && orphans[^1].CompareTo(_first) < 0)
        {
            Start("XTRIM");
            Add(state.Length == 0 ? "MAXLEN"u8 : "MINID"u8);
            if (state.Length == 0)
                Add(0);
            else
                Add(_first);
            return;
        }

        Start("XDEL");
        foreach (var id in orphans)
            Add(id);
    }

    private void Continue(string command)
    {
        var isFull = _elements == options.ElementsPerCommand || _request.Length >= options.BytesPerCommand;
        if (_command != command || isFull)
            Start(command);
        _elements++;
    }

    private void Start(string command, ReadOnlySpan<byte> subcommand = default)
    {
        Flush();
        _command = command;
        Name(command);
        if (!subcommand.IsEmpty)
            Add(subcommand);
        Add(_key.Written);
    }

    private void Name(string command)
    {
        _request.WriteRaw(stackalloc byte[HeaderRoom]);
        _request.WriteBulkString(command);
        _words = 1;
    }

    private void Add(ReadOnlySpan<byte> word)
    {
        _request.WriteBulkString(word);
        _words++;
    }

    private void Add(long number)
    {
        _request.WriteBulkString(number);
        _words++;
    }

    private void Add(ulong number)
    {
        Span<byte> digits = stackalloc byte[20];
        System.Buffers.Text.Utf8Formatter.TryFormat(number, digits, out var length);
        Add(digits[..length]);
    }

    private void Add(StreamId id)
    {
        Span<byte> text = stackalloc byte[48];
        Utf8.TryWrite(text, CultureInfo.InvariantCulture, $"{id.Ms}-{id.Sequence}", out var length);
        Add(text[..length]);
    }

    private void Flush()
    {
        if (_words > 0)
            Send();
        _elements = 0;
        foreach (var (time, fields) in _expiries.Fields)
        {
            Name("HPEXPIREAT");
            Add(_key.Written);
            Add(time);
            Add("FIELDS"u8);
            Add(fields.Count);
            foreach (var field in fields)
                Add(field);
            Send();
        }

        _expiries.Clear();
    }

    private void Send()
    {
        var header = _request.PutArrayHeader(HeaderRoom, _words);
        _words = 0;
        _sent++;
        _handle(_request.Written[header..]);
        // A long one is rare, and its memory wanted elsewhere.
        if (_request.Capacity > MostKept)
            _request = new();
        _request.Clear();
    }
}

/// <summary>The fields of one HSET that expire, by their times: one command each.</summary>
internal sealed class FieldExpiries
{
    public SortedDictionary<long, List<byte[]>> Fields { get; } = [];

    public void Add(long time, ReadOnlySpan<byte> field)
    {
        if (!Fields.TryGetValue(time, out var fields))
            Fields[time] = fields = [];
        fields.Add(field.ToArray());
    }

    public void Clear() => Fields.Clear();
}
