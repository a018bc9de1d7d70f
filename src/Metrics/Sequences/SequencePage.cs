using System.Numerics;

namespace RedisLatency.Metrics.Sequences;

/// <summary>A run of neighbouring numbers, one bit each.</summary>
internal sealed class SequencePage(int size)
{
    private readonly ulong[] _words = new ulong[size / 64];
    private int _count;

    public bool IsFull => _count == size;

    public bool Add(int position)
    {
        ref var word = ref _words[position >> 6];
        var bit = 1UL << (position & 63);
        if ((word & bit) != 0)
            return false;
        word |= bit;
        _count++;
        return true;
    }

    public int CountBelow(int limit)
    {
        if (limit == size)
            return _count;
        var count = 0;
        for (var word = 0; word < limit >> 6; word++)
            count += BitOperations.PopCount(_words[word]);
        var rest = limit & 63;
        return rest == 0 ? count : count + BitOperations.PopCount(_words[limit >> 6] & ((1UL << rest) - 1));
    }

    public void Clear()
    {
        Array.Clear(_words);
        _count = 0;
    }
}
