namespace RedisLatency.Redis.Rdb;

// The names in one value, so that one that comes again is known. Takes memory for what came only, and keeps it.
internal sealed class SeenNames
{
    private const int Least = 32;

    private readonly ValueBuffer _text = new();
    private Name[] _names = new Name[Least / 2];
    // The number of a name, from 1 on; 0 is free. No more than half of them are taken.
    private int[] _slots = new int[Least];
    private int _mask = Least - 1;
    private int _count;

    public void Clear()
    {
        _text.Clear();
        (_count, _mask) = (0, Least - 1);
        _slots.AsSpan(0, Least).Clear();
    }

    public bool TryAdd(ReadOnlySpan<byte> name)
    {
        if (_count * 2 > _mask)
            Grow();
        // Whoever makes a file does not know its seed, and so no names that share a slot.
        var code = new HashCode();
        code.AddBytes(name);
        var hash = code.ToHashCode();
        var slot = hash & _mask;
        for (; _slots[slot] != 0; slot = (slot + 1) & _mask)
        {
            var known = _names[_slots[slot] - 1];
            if (known.Hash == hash && _text.Written.Slice(known.Start, known.Length).SequenceEqual(name))
                return false;
        }

        _names[_count++] = new(hash, _text.Count, name.Length);
        _slots[slot] = _count;
        _text.Append(name);
        return true;
    }

    private void Grow()
    {
        var size = 2 * (_mask + 1);
        if (_slots.Length < size)
        {
            _slots = new int[size];
            Array.Resize(ref _names, size / 2);
        }

        _mask = size - 1;
        _slots.AsSpan(0, size).Clear();
        for (var i = 0; i < _count; i++)
        {
            var slot = _names[i].Hash & _mask;
            while (_slots[slot] != 0)
                slot = (slot + 1) & _mask;
            _slots[slot] = i + 1;
        }
    }

    private readonly record struct Name(int Hash, int Start, int Length);
}
