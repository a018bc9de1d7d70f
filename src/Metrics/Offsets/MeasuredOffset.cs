namespace RedisLatency.Metrics.Offsets;

/// <summary>The offset between two of several hosts, all at one instant, as one pair's probes give it.</summary>
/// <param name="From">Whose clock is subtracted: an index of the hosts.</param>
/// <param name="To">Whose clock it is subtracted from.</param>
/// <param name="OffsetNs">The clock of <paramref name="To"/> minus that of <paramref name="From"/>.</param>
/// <param name="ErrorNs">How far it may be from the truth.</param>
public readonly record struct MeasuredOffset(int From, int To, double OffsetNs, double ErrorNs);
