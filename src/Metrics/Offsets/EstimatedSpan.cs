namespace RedisLatency.Metrics.Offsets;

/// <summary>The piece of A's time that an estimate is for.</summary>
internal readonly record struct EstimatedSpan(long StartNs, long EndNs, long OriginNs)
{
    public long ReferenceNs => StartNs + ((EndNs - StartNs) / 2);

    public double StartX => StartNs - OriginNs;

    public double ReferenceX => ReferenceNs - OriginNs;

    public double EndX => EndNs - OriginNs;

    public long Slice => (long)Math.Floor(ReferenceX / Regimes.OffsetRegime.SliceNs);
}
