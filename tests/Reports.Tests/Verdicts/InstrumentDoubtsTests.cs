using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Tests.Verdicts;

public sealed class InstrumentDoubtsTests
{
    private const long Microsecond = 1_000;
    private const long Millisecond = 1_000_000;

    // 40 µs are what a wait costs here; the rest are pauses.
    private static readonly LatencySeries Calm = Series((99_990, 40 * Microsecond), (10, 60 * Microsecond));

    [Fact]
    public void Of_ALongPauseBeyondAllThatIsShown_IsNoDoubt()
    {
        // p99.99 is shown; the pause of 50 ms is one in a hundred thousand.
        var hiccups = Series((99_999, 40 * Microsecond), (1, 50 * Millisecond));

        Of(hiccups, Shown(Series((100_000, 100 * Microsecond), (1_000, 2 * Millisecond)))).ShouldBeEmpty();
    }

    [Fact]
    public void Of_LatenessAndPausesNearAPercentile_NamesBothCausesAndThePercentiles()
    {
        // A run of the kind that stood as valid: p50 491 µs, lateness p99 45 ms, pauses p99 37 ms.
        var hiccups = Series((98_000, 40 * Microsecond), (2_000, 37 * Millisecond));
        var lateness = Series((98_000, 2 * Microsecond), (2_000, 45 * Millisecond));
        var latency = Series((98_000, 491 * Microsecond), (2_000, 50 * Millisecond));

        var doubts = Of(hiccups, new ShownPercentiles("rtt-intended", latency.Percentiles, lateness), Shown(latency));

        doubts.Count.ShouldBe(2);
        doubts[0].ShouldStartWith(
            "Pauses of this machine are a large part of rtt-intended, rtt p99, p99.9, p99.99 (3");
        doubts[0].ShouldEndWith(" ms at p99, where rtt-intended is 50.00 ms).");
        doubts[1].ShouldStartWith(
            "Late sends are a large part of rtt-intended p99, p99.9, p99.99 (45");
    }

    [Fact]
    public void Of_AMachineThatPausesAllTheTime_DoubtsTheMedianToo()
    {
        var hiccups = Series((100_000, 4 * Millisecond));

        Of(hiccups, Shown(Series((100_000, 5 * Millisecond)))).ShouldHaveSingleItem().ShouldContain("rtt p50");
    }

    [Theory]
    [InlineData(24, false)]
    [InlineData(26, true)]
    public void Of_ACause_IsMaterialFromAQuarterOfThePercentileOn(int percent, bool isDoubtful)
    {
        var hiccups = Series((90_000, 0), (10_000, percent * Millisecond));

        Of(hiccups, Shown(Series((90_000, Microsecond), (10_000, 100 * Millisecond)))).Count
            .ShouldBe(isDoubtful ? 1 : 0);
    }

    [Fact]
    public void Of_TooFewHiccupsForAPercentile_TakesTheirLongest()
    {
        // 2,000 wake-ups do not tell p99.9; 20,000 messages do.
        var hiccups = Series((1_990, 40 * Microsecond), (10, 30 * Millisecond));

        Of(hiccups, Shown(Series((19_900, 100 * Microsecond), (100, 40 * Millisecond)))).ShouldHaveSingleItem()
            .ShouldContain("of rtt p99.9 (up to 29.9");
    }

    [Theory]
    [InlineData(0.0005, "")]
    [InlineData(0.02, "rtt p99, p99.9, p99.99")]
    public void Of_TimeThatWasStolen_DoubtsThePercentilesThatLeaveNoMoreAbove(double share, string named)
    {
        var cpu = new CpuUsage { ElapsedNs = 1_000 * Millisecond, ProcessNs = 0, HostStealShare = share };

        var doubts = Of(Calm, cpu, Shown(Series((100_000, 100 * Microsecond), (2_000, 900 * Microsecond))));

        if (named.Length == 0)
            doubts.ShouldAllBe(doubt => !doubt.Contains("p99.9,"));
        else
            doubts.ShouldHaveSingleItem().ShouldEndWith($"of this machine's time (steal), which may be all of {named}.");
    }

    [Fact]
    public void Of_AProcessHeldBackByItsQuota_SaysForHowLong()
    {
        var cpu = new CpuUsage { ElapsedNs = 1_000 * Millisecond, ProcessNs = 0, ThrottledNs = 150 * Millisecond };

        Of(Calm, cpu, Shown(Series((100_000, 100 * Microsecond)))).ShouldHaveSingleItem().ShouldBe(
            "The CPU quota stopped this process for 150.0 ms, which may be all of rtt p90, p99, p99.9, p99.99.");
    }

    private static List<string> Of(LatencySeries hiccups, params ShownPercentiles[] shown) => Of(hiccups, null, shown);

    private static List<string> Of(LatencySeries hiccups, CpuUsage? cpu, params ShownPercentiles[] shown) =>
        [.. InstrumentDoubts.Of(shown, hiccups, cpu)];

    private static ShownPercentiles Shown(LatencySeries series) => new("rtt", series.Percentiles);

    private static LatencySeries Series(params (long Count, long Value)[] values)
    {
        var histogram = LatencyHistogram.ForLatency();
        foreach (var (count, value) in values)
            histogram.Record(value, count);
        return LatencySeries.Of("series", PercentileTable.Of(histogram));
    }
}
