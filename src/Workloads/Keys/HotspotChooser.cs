namespace RedisLatency.Workloads.Keys;

// A share of the operations goes to the first keys, the rest to the others, both evenly. Source: YCSB 0.18,
// site.ycsb.generator.HotspotIntegerGenerator, with 64-bit sets. The hot set keeps its share when keys are
// added; where one of the two is empty, all goes to the other.
internal sealed class HotspotChooser : KeyChooser
{
    private readonly double _keyShare;
    private readonly double _operationShare;
    private long _hot;
    private double _threshold;

    public HotspotChooser(KeySpace space, double keyShare, double operationShare)
        : base(space)
    {
        _keyShare = keyShare;
        _operationShare = operationShare;
        Resize();
    }

    public override long Next(RandomSource random) => random.NextDouble() < _threshold
        ? First + (long)random.Below((ulong)_hot)
        : First + _hot + (long)random.Below((ulong)(Count - _hot));

    protected override void Resize()
    {
        _hot = Math.Min(Count, (long)(Count * _keyShare));
        _threshold = _hot == 0 ? 0 : _hot == Count ? 1 : _operationShare;
    }
}
