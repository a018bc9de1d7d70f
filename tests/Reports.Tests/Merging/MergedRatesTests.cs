using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>A merged rate is what all did in the time from the first start to the last end, or there is none.</summary>
public class MergedRatesTests
{
    private const double Second = 1e9;

    private static readonly DateTimeOffset Start = DateTimeOffset.UnixEpoch;

    [Theory]
    // From, length and rate of each part; what all did in what time.
    [InlineData(0, 6, 200, 0, 6, 200, 2_400, 6)]
    [InlineData(0, 6, 200, 5.7, 6, 200, 2_400, 11.7)]
    [InlineData(5.7, 6, 200, 0, 6, 200, 2_400, 11.7)]
    [InlineData(0, 8, 200, 0, 2, 200, 2_000, 8)]
    [InlineData(3, 2, 1_000, 0, 8, 100, 2_800, 8)]
    public void Rate_IsWhatAllDid_FromTheFirstStartToTheLastEnd(
        double from, double length, double rate, double otherFrom, double otherLength, double otherRate,
        double done, double seconds)
    {
        var merged = Merge(Part(from, length, rate), Part(otherFrom, otherLength, otherRate));

        merged.DurationNs.ShouldBe((long)(seconds * Second));
        merged.Rates.Achieved!.Value.ShouldBe(done / seconds, 1e-6);
        merged.Rates.Asked!.Value.ShouldBe(2 * done / seconds, 1e-6);
        merged.Rates.Bytes!.Value.ShouldBe(16 * done / seconds, 1e-6);
    }

    [Fact]
    public void Rate_OfWhatWasMerged_IsThatOfAllAtOnce()
    {
        RunSummary[] parts = [Part(0, 6, 200), Part(2, 7, 300), Part(3, 1, 5_000)];
        var first = Merge(parts[0], parts[1]);
        var whole = Merge(parts);

        var inTwoSteps = Merge(Part(0, first.DurationNs!.Value / Second, first.Rates.Achieved!.Value), parts[2]);

        inTwoSteps.DurationNs.ShouldBe(whole.DurationNs);
        inTwoSteps.Rates.Achieved!.Value.ShouldBe(whole.Rates.Achieved!.Value, 1e-6);
    }

    [Fact]
    public void Rate_OfOnePart_IsItsOwn_AlthoughItDoesNotSayWhenItMeasured()
    {
        var merged = Merge(Part(0, 6, 200) with { StartUtc = null });

        (merged.DurationNs, merged.Rates.Achieved).ShouldBe((6_000_000_000, 200));
    }

    [Fact]
    public void Rate_OfPartsThatDidNotMeasureAtOneTime_OrDoNotSayWhen_IsNone()
    {
        foreach (var (other, isAtOneTime, isTimed) in new[]
        {
            (Part(6, 6, 200), false, true),
            (Part(3_600, 6, 200), false, true),
            (Part(0, 6, 200) with { StartUtc = null }, true, false),
            (Part(0, 6, 200) with { DurationNs = null }, true, false),
        })
        {
            var merged = Merge(Part(0, 6, 200), other);

            (merged.AreAtOneTime, merged.AreTimed).ShouldBe((isAtOneTime, isTimed));
            (merged.DurationNs, merged.Rates.Achieved, merged.Rates.Asked).ShouldBe((null, null, null));
        }
    }

    [Fact]
    public void Rate_ThatAPartDoesNotKnow_IsNotKnown() =>
        Merge(Part(0, 6, 200), Part(0, 6, 200) with { Rates = new MessageRates { Asked = 400 } }).Rates
            .ShouldBe(new MessageRates { Asked = 800 });

    private static RunSummary Part(double from, double length, double rate) => new()
    {
        Name = "a",
        StartUtc = Start + TimeSpan.FromSeconds(from),
        DurationNs = (long)(length * Second),
        Rates = new MessageRates { Asked = 2 * rate, Achieved = rate, Bytes = 16 * rate },
    };

    private static MergedRates Merge(params RunSummary[] parts)
    {
        var merged = new MergedRates();
        foreach (var part in parts)
            merged.Add(part);
        return merged;
    }
}
