using System.Diagnostics.Metrics;
using System.Runtime.InteropServices;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Records in an instrument what has come to a histogram since the last time: .NET knows no observable histogram. Each
/// value is taken as the middle of those that the histogram counts as one, and so often as it was counted. What is out
/// of its range is its end; what never got a value is none here, but in counters of its own.
/// </summary>
/// <param name="instrument">In seconds.</param>
/// <param name="total">In nanoseconds; it only grows, and may be recorded in meanwhile.</param>
/// <param name="labels">What each value is recorded with.</param>
internal sealed class HistogramReplay(
    Histogram<double> instrument, LatencyHistogram total, KeyValuePair<string, object?>[] labels)
{
    private readonly Dictionary<long, long> _replayed = [];

    public void Replay()
    {
        foreach (var value in total.RecordedValues)
            Replay(value.Median, value.Count);
        if (total.BelowRange > 0)
            Replay(0, total.BelowRange, isBelow: true);
        if (total.AboveRange > 0)
            Replay(total.HighestTrackable, total.AboveRange);
    }

    private void Replay(long value, long count, bool isBelow = false)
    {
        // Zero is also a value that can be measured.
        ref var before = ref CollectionsMarshal.GetValueRefOrAddDefault(_replayed, isBelow ? -1 : value, out _);
        for (; before < count; before++)
            instrument.Record(value / 1e9, labels);
    }
}
