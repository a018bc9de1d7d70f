namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// A share of the operations goes to the first keys, the rest to the others, both evenly. Source: YCSB 0.18,
/// <c>site.ycsb.generator.HotspotIntegerGenerator</c>, with 64-bit sets. The hot set keeps its share when keys are
/// added; where one of the two is empty, all goes to the other.
/// </summary>
internal sealed class HotspotChooser : KeyChooser
{
    private readonly long _first;
    private readonly double _keyShare;
    private readonly double _operationShare;
    private long _count;
    private long _hot;
    private double _threshold;

    public HotspotChooser(KeySpace space, double keyShare, double operationShare)
    {
        _first = space.First;
        _keyShare = keyShare;
        _operationShare = operationShare;
        Grow(space.Last);
    }

    public override long Next(RandomSource random) => random.NextDouble() < _threshold
        ? _first + (long)random.Below((ulong)_hot)
        : _first + _hot + (long)random.Below((ulong)(_count - _hot));

    public override void Grow(long lastAcknowledged)
    {
        if (lastAcknowledged - _first + 1 <= _count)
            return;
        _count = lastAcknowledged - _first + 1;
        _hot = Math.Min(_count, (long)(_count * _keyShare));
        _threshold = _hot == 0 ? 0 : _hot == _count ? 1 : _operationShare;
    }
}
