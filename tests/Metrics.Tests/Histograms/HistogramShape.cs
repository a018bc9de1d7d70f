using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>Any range and digits, and values within the range, above and below it.</summary>
public sealed record HistogramShape(long Lowest, long Highest, int Digits, long[] Values)
{
    public static Arbitrary<HistogramShape> Any() => Arb.From(
        from digits in Gen.Frequency((5, Gen.Choose(1, 3)), (1, Gen.Choose(4, 5)))
        from lowestBits in Gen.Frequency((3, Gen.Constant(0)), (1, Gen.Choose(0, 40)))
        from highestBits in Gen.Choose(lowestBits + 1, 62)
        from lowest in ValueOfBits(lowestBits)
        from highest in ValueOfBits(highestBits)
        from values in Gen.ListOf(ArbitraryValue())
        select new HistogramShape(lowest, Math.Max(highest, lowest * 2), digits, [.. values]));

    public LatencyHistogram Empty() => new(Lowest, Highest, Digits);

    public LatencyHistogram Filled() => Filled(Values);

    public LatencyHistogram Filled(IEnumerable<long> values)
    {
        var histogram = Empty();
        foreach (var value in values)
            histogram.Record(value);
        return histogram;
    }

    public override string ToString() => $"{Lowest}..{Highest}, {Digits} digits: {string.Join(' ', Values)}";

    private static Gen<long> ArbitraryValue() => Gen.Frequency(
        (1, Gen.Elements(0L, -1L, long.MinValue, long.MaxValue)),
        (20, Gen.Choose(0, 62).SelectMany(ValueOfBits)));

    private static Gen<long> ValueOfBits(int bits) =>
        Gen.Choose(0, int.MaxValue).Select(random => (1L << bits) | (((1L << bits) - 1) & (random * 0x5851F42D4C957F2D)));
}
