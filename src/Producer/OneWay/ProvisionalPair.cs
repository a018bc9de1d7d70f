using RedisLatency.Hosting.Live;
using RedisLatency.Messaging.Stamps;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Producer.OneWay;

/// <summary>What both ways took by the offset that is known at the moment: for the live view alone.</summary>
internal sealed class ProvisionalPair
{
    private readonly SignedLatencyHistogram _forward = SignedLatencyHistogram.ForLatency();
    private readonly SignedLatencyHistogram _back = SignedLatencyHistogram.ForLatency();
    private OffsetWindow? _window;

    public ProvisionalOneWay? Medians => _window is null || _forward.TotalCount == 0
        ? null
        : new ProvisionalOneWay(MedianOf(_forward), MedianOf(_back), _window.ErrorNs);

    public void Follow(OffsetWindow window) => _window = window;

    public void Add(ReadOnlySpan<MessageStamps> batch)
    {
        if (_window is not { } window)
            return;
        foreach (ref readonly var stamps in batch)
        {
            var offset = window.OffsetAt(stamps.Sent);
            _forward.Record(stamps.Received - stamps.Sent - offset);
            _back.Record(stamps.Returned - stamps.Echoed + offset);
        }
    }

    private static long MedianOf(SignedLatencyHistogram values)
    {
        var negatives = values.Negatives.TotalCount;
        var rank = (values.TotalCount + 1) / 2;
        return rank > negatives
            ? values.Values.ValueAtPercentile(100.0 * (rank - negatives) / values.Values.TotalCount)
            : -values.Negatives.ValueAtPercentile(100.0 * (negatives - rank + 1) / negatives);
    }
}
