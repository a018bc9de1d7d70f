using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Messaging.OneWay;

/// <summary>The final windows of one consumer's offset, of the last hour at least: messages may come late.</summary>
internal sealed class KnownWindows
{
    private const int MostKept = 4_096;

    // Before the first probe there is no window; its line is drawn back so far, its bound growing by drift.
    private const long DrawnBackNs = 10_000_000_000;

    private readonly List<OffsetWindow> _windows = [];
    private int _last;
    private bool _hasForgotten;

    public void Add(OffsetWindow window)
    {
        if (_windows.Count == 2 * MostKept)
        {
            _windows.RemoveRange(0, MostKept);
            _last = 0;
            _hasForgotten = true;
        }

        _windows.Add(window);
    }

    public bool TryFind(long atNs, [NotNullWhen(true)] out OffsetWindow? window)
    {
        window = null;
        if (_windows.Count == 0)
            return false;
        if (_windows[_last].StartNs > atNs || atNs >= _windows[_last].EndNs)
            _last = IndexOf(atNs);
        var found = _windows[_last];
        var isDrawnBack = _last == 0 && !_hasForgotten && atNs < found.StartNs && atNs > found.StartNs - DrawnBackNs;
        if ((atNs >= found.StartNs && atNs < found.EndNs) || isDrawnBack)
            window = found.IsBounded ? found : null;
        return window is not null;
    }

    // The last window that does not begin after the instant, or the first of all.
    private int IndexOf(long atNs)
    {
        int low = 0, high = _windows.Count - 1;
        while (low < high)
        {
            var middle = (low + high + 1) / 2;
            if (_windows[middle].StartNs <= atNs)
                low = middle;
            else
                high = middle - 1;
        }

        return low;
    }
}
