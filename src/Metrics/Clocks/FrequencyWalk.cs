namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// A crystal's frequency that wanders: once a second it moves by a normal step of a tenth of the bound, and is
/// reflected at the bound. What it gains is the integral, linear within a second; after a day it keeps its last
/// frequency.
/// </summary>
internal sealed class FrequencyWalk
{
    private const long SegmentNs = 1_000_000_000;
    private const int Segments = 86_400;

    private readonly double[] _frequency = new double[Segments];
    private readonly double[] _gainedNs = new double[Segments];

    public FrequencyWalk(double boundPpm, ulong seed)
    {
        var bound = boundPpm / 1e6;
        var state = seed;
        var frequency = 0.0;
        var gained = 0.0;
        for (var segment = 0; segment < Segments; segment++)
        {
            frequency += NextNormal(ref state) * bound / 10;
            frequency = Math.Clamp(
                Math.Abs(frequency) > bound ? (Math.Sign(frequency) * 2 * bound) - frequency : frequency,
                -bound,
                bound);
            _frequency[segment] = frequency;
            _gainedNs[segment] = gained;
            gained += frequency * SegmentNs;
        }
    }

    public double GainedNs(long elapsedNs)
    {
        var segment = Math.Min(elapsedNs / SegmentNs, Segments - 1);
        return _gainedNs[segment] + (_frequency[segment] * (elapsedNs - (segment * SegmentNs)));
    }

    // The sum of twelve uniform numbers (Irwin-Hall) is normal enough, and the same to the last bit everywhere.
    private static double NextNormal(ref ulong state)
    {
        var sum = -6.0;
        for (var i = 0; i < 12; i++)
            sum += (NextBits(ref state) >> 11) * (1.0 / (1UL << 53));
        return sum;
    }

    // SplitMix64 (Steele, Lea and Flood 2014).
    private static ulong NextBits(ref ulong state)
    {
        var bits = state += 0x9E3779B97F4A7C15;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        return bits ^ (bits >> 31);
    }
}
