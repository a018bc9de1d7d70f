using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// How much longer messages took than the fastest of their neighbourhood: of their window and the ten before it, back
/// to the last break of the offset. A wrong offset cancels out; the skew is removed by the window's own line.
/// </summary>
internal sealed class DelayVariation
{
    private const int Neighbours = 10;

    // Of a window with more messages than this, the first ones are compared with the fastest so far.
    private const int MostBuffered = 1 << 20;

    private readonly Queue<(long RawNs, long AtNs)> _fastest = new(Neighbours + 1);
    private long[] _values = new long[1 << 10];
    private int _count;
    private long _minNs = long.MaxValue;
    private long _minAtNs;

    /// <summary>A message of the window to be completed next: its corrected value, at the producer's time.</summary>
    public void Add(long valueNs, long atNs, LatencyHistogram into)
    {
        if (valueNs < _minNs)
            (_minNs, _minAtNs) = (valueNs, atNs);
        if (_count == MostBuffered)
            Record(_minNs, into);
        if (_count == _values.Length)
            Array.Resize(ref _values, 2 * _count);
        _values[_count++] = valueNs;
    }

    public void Complete(OffsetWindow window, LatencyHistogram into)
    {
        if (window.Break is not OffsetBreak.None)
            _fastest.Clear();
        if (_count == 0)
            return;

        var fastestNs = _minNs;
        foreach (var (rawNs, atNs) in _fastest)
            fastestNs = Math.Min(fastestNs, rawNs - window.OffsetAt(atNs));
        Record(fastestNs, into);

        if (_fastest.Count == Neighbours)
            _fastest.Dequeue();
        _fastest.Enqueue((_minNs + window.OffsetAt(_minAtNs), _minAtNs));
        _minNs = long.MaxValue;
    }

    private void Record(long fastestNs, LatencyHistogram into)
    {
        foreach (var value in _values.AsSpan(0, _count))
            into.Record(value - fastestNs);
        _count = 0;
    }
}
