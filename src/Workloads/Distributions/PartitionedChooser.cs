namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// One key after the other, every worker in a part of its own, as memtier's <c>P</c>: worker w of W has the keys from
/// ⌊w · n / W⌋ up to ⌊(w + 1) · n / W⌋ of those at the start. One whose part is empty draws where it would begin.
/// </summary>
internal sealed class PartitionedChooser : KeyChooser
{
    private readonly long _start;
    private readonly long _end;
    private IsolatedIndex _next;

    public PartitionedChooser(KeySpace space, int worker, int workers)
    {
        _start = space.First + (long)((UInt128)space.Count * (uint)worker / (uint)workers);
        _end = space.First + (long)((UInt128)space.Count * ((uint)worker + 1) / (uint)workers);
        _next.Value = _start;
    }

    public override long? FirstPass => _end - _start;

    public override long Next(RandomSource random)
    {
        var key = _next.Value;
        _next.Value = key + 1 < _end ? key + 1 : _start;
        return key;
    }

    public override void Grow(long lastAcknowledged)
    {
    }
}
