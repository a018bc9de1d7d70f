namespace RedisLatency.Workloads.Distributions;

/// <summary>Every key equally likely, added ones included.</summary>
internal sealed class UniformChooser(KeySpace space) : KeyChooser
{
    private readonly long _first = space.First;
    private ulong _count = (ulong)space.Count;

    public override long Next(RandomSource random) => _first + (long)random.Below(_count);

    public override void Grow(long lastAcknowledged) =>
        _count = Math.Max(_count, (ulong)Math.Max(0, lastAcknowledged - _first + 1));
}
