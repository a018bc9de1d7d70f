using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Replication.Sides;

/// <summary>What a writer's clock differed by, window by window, of which nothing more will be known.</summary>
internal sealed class OffsetHistory(int most = int.MaxValue) : IWriterTime
{
    private readonly List<OffsetWindow> _windows = [];
    private bool _isRefuted;

    public IReadOnlyList<OffsetWindow> Windows => _windows;

    public long EndNs => _windows.Count == 0 ? 0 : _windows[^1].EndNs;

    public void TakeFrom(AskedClock clock)
    {
        while (clock.TryTake(out var window))
        {
            _isRefuted |= window.IsContradicted;
            if (_windows.Count >= most)
                _windows.RemoveAt(0);
            _windows.Add(window);
        }
    }

    public void Clear()
    {
        _windows.Clear();
        _isRefuted = false;
    }

    public bool TryConvert(long ownNs, out long writerNs, out long errorNs)
    {
        (writerNs, errorNs) = (0, 0);
        if (_windows.Count == 0)
            return false;
        // A claim that is refuted falls for all its windows.
        var window = WindowAt(ownNs) is var known && _isRefuted ? known.ByProbes ?? known : known;
        if (!window.IsBounded)
            return false;
        writerNs = ownNs + window.OffsetAt(ownNs);
        errorNs = window.ErrorAt(ownNs);
        return true;
    }

    private OffsetWindow WindowAt(long ownNs)
    {
        var (low, high) = (0, _windows.Count - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_windows[middle].EndNs <= ownNs)
                low = middle + 1;
            else
                high = middle;
        }

        return _windows[low];
    }
}
