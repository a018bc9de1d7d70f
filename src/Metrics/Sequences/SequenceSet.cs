using System.Numerics;

namespace RedisLatency.Metrics.Sequences;

/// <summary>
/// A set of numbers from zero upwards that is nearly all of them: pages of bits, of which only those with a gap are
/// kept. A page that fills up is cleared and used again for the next, so a run without loss lives in one or two
/// pages however long it is, and what it costs otherwise is one page for each that misses something.
/// </summary>
internal sealed class SequenceSet(int pageBits = SequenceSet.DefaultPageBits)
{
    /// <summary>65,536 numbers, 8 KiB.</summary>
    public const int DefaultPageBits = 16;


    private readonly int _pageSize = 1 << pageBits;
    private readonly Stack<SequencePage> _spare = new();

    // Every page below _nextPage that has a gap; null where nothing of it came yet. One that is missing here is full.
    private readonly Dictionary<long, SequencePage?> _withGaps = [];
    private long _nextPage;

    // The page of the last Add; a null page with a number means that it is full.
    private long _currentNumber = -1;
    private SequencePage? _current;

    public long Count { get; private set; }

    /// <summary>Pages held now, in use and spare: what the set's memory is.</summary>
    public int PagesHeld { get; private set; }

    /// <summary>Adds a number that is not negative; false if it was in the set.</summary>
    public bool Add(long number)
    {
        var pageNumber = number >> pageBits;
        if (pageNumber != _currentNumber)
            Select(pageNumber);
        if (_current is null || !_current.Add((int)(number & (_pageSize - 1))))
            return false;
        Count++;
        if (_current.IsFull)
            Retire();
        return true;
    }

    public long CountMissingBelow(long limit)
    {
        var missing = Math.Max(0, limit - (_nextPage << pageBits));
        foreach (var (pageNumber, page) in _withGaps)
        {
            var size = Math.Min(_pageSize, limit - (pageNumber << pageBits));
            if (size > 0)
                missing += size - (page?.CountBelow((int)size) ?? 0);
        }

        return missing;
    }

    public long CountBelow(long limit) => limit - CountMissingBelow(limit);

    private void Select(long pageNumber)
    {
        for (; _nextPage <= pageNumber; _nextPage++)
            _withGaps.Add(_nextPage, null);

        _currentNumber = pageNumber;
        if (_withGaps.TryGetValue(pageNumber, out _current) && _current is null)
            _withGaps[pageNumber] = _current = _spare.TryPop(out var spare) ? spare : NewPage();
    }

    private void Retire()
    {
        _withGaps.Remove(_currentNumber);
        _current!.Clear();
        _spare.Push(_current);
        _current = null;
    }

    private SequencePage NewPage()
    {
        PagesHeld++;
        return new SequencePage(_pageSize);
    }
}

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
