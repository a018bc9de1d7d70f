using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// Takes a stream apart: its listpacks of entries, its state, its groups (t_stream.c and rdb.c of Redis). What its
/// groups have pending is held meanwhile. Without a visitor only lengths are read.
/// </summary>
internal sealed class StreamWalk(IRdbValueVisitor? visitor)
{
    private const int IdLength = 16;
    private const int MostKept = 1 << 16;
    private const long IsDeleted = 1;
    private const long HasSameFields = 2;

    private readonly ValueBuffer _name = new();
    private readonly ValueBuffer _node = new();
    private Dictionary<StreamId, OwnedDelivery> _pending = [];
    private readonly HashSet<StreamId> _nodes = [];
    private readonly SeenNames _groups = new();
    private readonly SeenNames _consumers = new();
    private int _unowned;

    public void Walk(RdbInput input, StreamLayout layout)
    {
        _nodes.Clear();
        _groups.Clear();
        for (var nodes = input.ReadLength(); nodes > 0; nodes--)
        {
            ReadText(input, _name);
            ReadText(input, _node);
            if (visitor is not null)
                WalkNode(input, visitor);
        }

        var length = input.ReadLength();
        if (visitor is not null && length > 0 && _nodes.Count == 0)
            throw input.Fault($"a stream of {length} entries has none");
        var last = ReadId(input);
        StreamId? deleted = null;
        ulong? added = null;
        if (layout.HasCounts)
        {
            ReadId(input);
            (deleted, added) = (ReadId(input), input.ReadLength());
        }

        visitor?.VisitStreamState(new(length, last, deleted, added));
        for (var groups = input.ReadLength(); groups > 0; groups--)
            WalkGroup(input, layout);
        if (layout.HasProducers)
            WalkProducers(input);
    }

    private void ReadText(RdbInput input, ValueBuffer target)
    {
        if (visitor is null)
        {
            input.SkipString();
            return;
        }

        target.Clear();
        input.ReadString(target);
    }

    private static StreamId ReadId(ReadOnlySpan<byte> raw) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(raw), BinaryPrimitives.ReadUInt64BigEndian(raw[sizeof(ulong)..]));

    private static StreamId ReadId(RdbInput input)
    {
        var ms = input.ReadLength();
        return new(ms, input.ReadLength());
    }

    private void WalkNode(RdbInput input, IRdbValueVisitor shown)
    {
        if (_name.Count != IdLength)
            throw input.Fault($"a stream's node has an id of {_name.Count} bytes");
        var master = ReadId(_name.Written);
        if (!_nodes.Add(master))
            throw input.Fault($"a stream has two nodes with the id {master}");
        Span<byte> digits = stackalloc byte[2 * PackedElements.DigitsLength];
        var elements =
            PackedElements.OfListpack(input, _node.Written, digits[..PackedElements.DigitsLength]);
        var live = elements.NextNumber();
        var deleted = elements.NextNumber();
        var masterFields = elements.NextNumber();
        if (masterFields < 0 || masterFields > _node.Count)
            throw input.Fault($"a stream's node has {masterFields} fields");
        var masterNames =
            PackedElements.OfListpack(input, _node.Written, digits[PackedElements.DigitsLength..]);
        for (var i = 0; i < 3; i++)
            masterNames.Next();
        for (var i = masterFields; i > 0; i--)
            elements.Next();
        if (elements.NextNumber() != 0)
            throw input.Fault("a stream's node has no end of its fields");
        var found = 0L;
        while (elements.TryNext(out var first))
        {
            var flags = elements.NumberOf(first);
            var ms = unchecked(master.Ms + (ulong)elements.NextNumber());
            var id = new StreamId(ms, unchecked(master.Sequence + (ulong)elements.NextNumber()));
            var hasSame = (flags & HasSameFields) != 0;
            var fields = hasSame ? masterFields : elements.NextNumber();
            if (fields < 0 || fields > _node.Count)
                throw input.Fault($"entry {id} has {fields} fields");
            var isLive = (flags & IsDeleted) == 0;
            if (isLive)
                shown.VisitStreamEntry(id, (int)fields);
            var names = masterNames;
            for (var i = fields; i > 0; i--)
            {
                var name = hasSame ? names.Next() : elements.Next();
                var value = elements.Next();
                if (isLive)
                    shown.VisitStreamField(name, value);
            }

            if (elements.NextNumber() != (hasSame ? 3 + fields : 4 + (2 * fields)))
                throw input.Fault($"entry {id} has another number of elements behind it");
            found++;
        }

        if (found != live + deleted)
            throw input.Fault($"a stream's node has {found} entries, not {live + deleted}");
    }

    private void WalkGroup(RdbInput input, StreamLayout layout)
    {
        ReadText(input, _name);
        RequireNew(input, _groups, "group");
        var last = ReadId(input);
        // Not known is written as -1.
        var read = layout.HasCounts ? (long)input.ReadLength() : -1;
        visitor?.VisitGroup(_name.Written, last, read < 0 ? null : read);
        // To clear a table takes as long as it ever was large.
        if (_pending.Capacity > MostKept)
            _pending = [];
        _pending.Clear();
        _consumers.Clear();
        for (var pending = input.ReadLength(); pending > 0; pending--)
        {
            var id = ReadId(input.Read(IdLength));
            var time = input.ReadInt64();
            var count = input.ReadLength();
            if (visitor is not null && !_pending.TryAdd(id, new(new(time, count), Owner: 0)))
                throw input.Fault($"entry {id} is pending for its group twice");
        }

        _unowned = _pending.Count;
        var owner = 0;
        for (var consumers = input.ReadLength(); consumers > 0; consumers--)
            WalkConsumer(input, layout, ++owner);
        if (layout.HasUnowned)
        {
            owner++;
            for (var unowned = input.ReadLength(); unowned > 0; unowned--)
            {
                var id = ReadId(input.Read(IdLength));
                visitor?.VisitUnowned(id, Delivery(input, id, owner));
            }
        }

        if (_unowned > 0)
            throw input.Fault($"{_unowned} entries are pending for a group and for none of its consumers");
    }

    private void WalkConsumer(RdbInput input, StreamLayout layout, int owner)
    {
        ReadText(input, _name);
        RequireNew(input, _consumers, "consumer");
        input.ReadInt64();
        if (layout.HasActiveTime)
            input.ReadInt64();
        var pending = input.ReadSmall("the number of a consumer's pending entries");
        visitor?.VisitConsumer(_name.Written, pending);
        for (; pending > 0; pending--)
        {
            var id = ReadId(input.Read(IdLength));
            visitor?.VisitPending(id, Delivery(input, id, owner));
        }
    }

    private StreamDelivery Delivery(RdbInput input, StreamId id, int owner)
    {
        ref var pending = ref CollectionsMarshal.GetValueRefOrNullRef(_pending, id);
        if (Unsafe.IsNullRef(ref pending))
            throw input.Fault($"entry {id} is pending for a consumer and not for its group");
        if (pending.Owner == owner)
            throw input.Fault($"entry {id} is pending for a consumer twice");
        if (pending.Owner == 0)
            _unowned--;
        pending = pending with { Owner = owner };
        return pending.Delivery;
    }

    private void RequireNew(RdbInput input, SeenNames names, string what)
    {
        if (visitor is not null && !names.TryAdd(_name.Written))
            throw input.Fault($"a stream has the {what} {RespFault.Show(_name.Written)} twice");
    }

    // Streams of Redis 8.6 remember which producers' messages they have: duration, most, producers with their ids,
    // counts of added and of duplicates.
    private void WalkProducers(RdbInput input)
    {
        ReadId(input);
        for (var producers = input.ReadLength(); producers > 0; producers--)
        {
            input.SkipString();
            for (var ids = input.ReadLength(); ids > 0; ids--)
            {
                input.SkipString();
                ReadId(input);
            }
        }

        ReadId(input);
        visitor?.VisitProducers();
    }

    // Zero is no consumer.
    private readonly record struct OwnedDelivery(StreamDelivery Delivery, int Owner);
}
