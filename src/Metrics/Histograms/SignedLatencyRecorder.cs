using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// A <see cref="LatencyRecorder"/> for values that may be negative, which are recorded by their magnitude in a recorder
/// of their own.
/// </summary>
public sealed class SignedLatencyRecorder
{
    private readonly LatencyRecorder _values = new();
    private readonly LatencyRecorder _negatives = new();

    /// <summary>Counts a value. Only ever from one thread at a time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(long value)
    {
        if (value >= 0)
            _values.Record(value);
        else
            _negatives.Record(SignedLatencyHistogram.Magnitude(value));
    }

    /// <summary>
    /// Adds what was recorded since the last call. From any thread. Each value is in exactly one interval; of two that
    /// are recorded meanwhile, one of either sign, the later may be in the earlier interval.
    /// </summary>
    public void TakeInterval(SignedLatencyHistogram into)
    {
        ArgumentNullException.ThrowIfNull(into);
        _values.TakeInterval(into.Values);
        _negatives.TakeInterval(into.Negatives);
    }
}
