using System.Buffers.Binary;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>A small hash as Redis before 2.6 stored it (zipmap.c).</summary>
internal ref struct Zipmap(RdbInput input, ReadOnlySpan<byte> bytes)
{
    private const byte End = 0xff;
    private const byte LongLength = 0xfe;
    private const byte CountUnknown = 0xfe;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private int _position;

    public void Walk(IRdbValueVisitor visitor, SeenNames names)
    {
        var announced = Take(1)[0];
        var count = 0;
        while (true)
        {
            var length = Take(1)[0];
            if (length == End)
                break;
            var field = Take(Length(length));
            var valueLength = Length(Take(1)[0]);
            var free = Take(1)[0];
            var value = Take(valueLength);
            Take(free);
            if (!names.TryAdd(field))
                throw input.Fault($"{RespFault.Show(field)} is in it twice");
            visitor.VisitField(field, value, 0);
            count++;
        }

        if (_position != _bytes.Length)
            throw input.Fault($"a zipmap of {_bytes.Length} bytes ends after {_position}");
        // Not known is written as 254, and by some as 255.
        if (count == 0 || (announced < CountUnknown && announced != count))
            throw input.Fault($"a zipmap has {count} fields, not {announced}");
    }

    private long Length(byte first) => first switch
    {
        End => throw input.Fault("a zipmap ends in the middle of a field"),
        LongLength => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint))),
        _ => first,
    };

    private ReadOnlySpan<byte> Take(long count)
    {
        if (count > _bytes.Length - _position)
            throw input.Fault($"a zipmap of {_bytes.Length} bytes has a field that reaches beyond its end");
        _position += (int)count;
        return _bytes.Slice(_position - (int)count, (int)count);
    }
}
