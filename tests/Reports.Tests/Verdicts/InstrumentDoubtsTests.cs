using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Tests.Verdicts;

public sealed class InstrumentDoubtsTests
{
    private const long Microsecond = 1_000;
    private const long Millisecond = 1_000_000;

    // 40 µs are what a wait costs here.
    private static readonly LatencyHistogram Calm = Histogram((99_990, 40 * Microsecond), (10, 60 * Microsecond));

    [Fact]
    public void Of_NothingThatTheMachineDid_IsBelievedAsFarAsThereAreSamples()
    {
        var believed = Of(Calm, null, Shown(Histogram((20_000, 100 * Microsecond), (1_000, 2 * Millisecond))));

        (believed.UpTo, believed.Doubt, believed.Note).ShouldBe((99.9, null, null));
    }

    [Fact]
    public void Of_ALongPauseBeyondAllThatIsShown_IsNoDoubt()
    {
        // p99.99 is shown; the pause of 50 ms is one in a hundred thousand.
        var standstills = Histogram((99_999, 40 * Microsecond), (1, 50 * Millisecond));

        Of(standstills, null, Shown(Histogram((100_000, 100 * Microsecond), (1_000, 2 * Millisecond))))
            .UpTo.ShouldBe(99.99);
    }

    [Fact]
    public void Of_PausesInMoreOfTheTimeThanAPercentileLeaves_DoubtsThatAndHigherOnes()
    {
        var standstills = Histogram((98_000, 40 * Microsecond), (2_000, 37 * Millisecond));
        var shown = Shown(Histogram((98_000, 491 * Microsecond), (2_000, 50 * Millisecond)));

        var believed = Of(standstills, null, shown);

        believed.UpTo.ShouldBe(90);
        believed.Doubt.ShouldBeNull();
        believed.Note.ShouldNotBeNull().ShouldStartWith(
            "The machine can have made rtt from p99 on: this process stood still, for up to 37.");
        var marked = believed.Mark(new RunSummary
        {
            Name = "one",
            Latencies = [new LatencySeries { Name = "rtt", Percentiles = shown.Percentiles }],
        });
        marked.Latencies[0].Percentiles.Select(row => row.InDoubt).ShouldBe([false, false, true, true, true, false]);
        var forward = new OneWaySeries { Name = "forward", Count = 1, ErrorNs = 0, Percentiles = shown.Percentiles };
        believed.Mark(new ServedForward { Series = [forward] })
            .FromSent!.Percentiles.Select(row => row.InDoubt).ShouldBe([false, false, true, true, true, false]);
    }

    [Fact]
    public void Of_PausesThatAreNoCauseOfWhatIsShown_AreNoDoubt()
    {
        // As many samples are as slow without them: half of all, where two of a hundred can have been touched.
        var standstills = Histogram((98_000, 40 * Microsecond), (2_000, 37 * Millisecond));

        Of(standstills, null, Shown(Histogram((10_000, 20 * Millisecond), (10_000, 50 * Millisecond)))).UpTo.ShouldBe(99.9);
    }

    [Fact]
    public void Of_AMachineThatPausesAllTheTime_DoubtsTheHeadline()
    {
        // A wake-up alone takes no millisecond.
        var believed = Of(Histogram((100_000, 4 * Millisecond)), null, Shown(Histogram((100_000, 5 * Millisecond))));

        believed.Doubt.ShouldNotBeNull().ShouldContain("rtt from p50 on");
        believed.UpTo.ShouldBeNull();
    }

    [Fact]
    public void Of_WhatIsInDoubt_NothingAboveItIsBelieved()
    {
        // 40 % of the time: p50 of the others is p30 of all, a fifth of it; p99 of the others is p59, as slow as p99.
        var standstills = Histogram((60, 40 * Microsecond), (40, 9 * Millisecond));
        var shown = Shown(Histogram((40_000, 200 * Microsecond), (60_000, 9 * Millisecond)));

        new InstrumentDoubts(standstills, null).IsInDoubt(shown, 99).ShouldBeFalse();
        var believed = Of(standstills, null, shown, "rtt.p99<10ms");

        believed.Doubt.ShouldNotBeNull().ShouldContain("rtt from p50 on");
        believed.Mark(new RunSummary
        {
            Name = "one",
            Latencies = [new LatencySeries { Name = "rtt", Percentiles = shown.Percentiles }],
        }).Latencies[0].Percentiles.Where(row => row.Value is not null).ShouldAllBe(row => row.InDoubt);
    }

    [Fact]
    public void Of_TwoSeries_GoesNoFartherThanTheOneOfWhichNothingIsBelieved()
    {
        var standstills = Histogram((100_000, 4 * Millisecond));
        ShownPercentiles[] shown =
            [Shown(Histogram((100_000, 5 * Millisecond))), Shown(Histogram((100_000, 5_000 * Millisecond)))];

        Believed.Of(new InstrumentDoubts(standstills, null), shown, []).UpTo.ShouldBeNull();
    }

    [Theory]
    [InlineData(24, 99.99)]
    [InlineData(26, 50.0)]
    public void Of_ACause_IsMaterialFromAQuarterOfTheValueOn(int percent, double upTo)
    {
        var standstills = Histogram((80_000, 0), (20_000, percent * Millisecond));

        Of(standstills, null, Shown(Histogram((80_000, Microsecond), (20_000, 100 * Millisecond)))).UpTo.ShouldBe(upTo);
    }

    [Fact]
    public void Of_AThresholdOnWhatIsInDoubt_IsADoubtOfTheHeadline()
    {
        var standstills = Histogram((98_000, 40 * Microsecond), (2_000, 37 * Millisecond));
        var shown = Shown(Histogram((98_000, 491 * Microsecond), (2_000, 50 * Millisecond)));

        Of(standstills, null, shown, "rtt.p90<1s").Doubt.ShouldBeNull();
        Of(standstills, null, shown, "rtt.p99<1s").Doubt.ShouldNotBeNull().ShouldContain("rtt from p99 on");
        Of(standstills, null, shown, "rtt.max<1s").Doubt.ShouldNotBeNull();
        Of(standstills, null, shown, "rtt.p95<1s").Doubt.ShouldBeNull();
        Of(standstills, null, shown, "rtt.p98.5<1s").Doubt.ShouldNotBeNull().ShouldContain("rtt from p98.5 on");
    }

    [Fact]
    public void Of_LateSends_DoubtOnlyWhatContainsThem()
    {
        var late = Histogram((98_000, 2 * Microsecond), (2_000, 45 * Millisecond));
        var all = Histogram((98_000, 491 * Microsecond), (2_000, 50 * Millisecond));

        Of(Calm, null, Shown(all)).Note.ShouldBeNull();
        Of(Calm, null, Shown(all) with { Lateness = late }).Note.ShouldNotBeNull().ShouldContain("2 % of it was sent late");
    }

    [Theory]
    [InlineData(0.00005, 99.99, null)]
    [InlineData(0.02, 90.0, "its host took 2 % of this machine's time (steal)")]
    public void Of_TimeThatWasStolen_DoubtsWhatItCanHaveMade(double share, double upTo, string? said)
    {
        var cpu = new CpuUsage { ElapsedNs = 1_000 * Millisecond, ProcessNs = 0, HostStealShare = share };

        var believed = Of(Calm, cpu, Shown(Histogram((98_500, 100 * Microsecond), (1_500, 900 * Microsecond))));

        believed.UpTo.ShouldBe(upTo);
        if (said is null)
            believed.Note.ShouldBeNull();
        else
            believed.Note.ShouldNotBeNull().ShouldContain(said);
    }

    [Fact]
    public void Of_AProcessHeldBackByItsQuota_SaysForHowLong()
    {
        var cpu = new CpuUsage { ElapsedNs = 1_000 * Millisecond, ProcessNs = 0, ThrottledNs = 150 * Millisecond };

        Of(Calm, cpu, Shown(Histogram((88_000, 100 * Microsecond), (12_000, 9 * Millisecond)))).Note.ShouldBe(
            "The machine can have made rtt from p90 on: the CPU quota stopped this process for 150.0 ms. Give it a "
            + "larger quota.");
    }

    private static Believed Of(
        LatencyHistogram standstills, CpuUsage? cpu, ShownPercentiles shown, params string[] thresholds) =>
        Believed.Of(new InstrumentDoubts(standstills, cpu), [shown], thresholds.Select(Threshold.Parse));

    private static ShownPercentiles Shown(LatencyHistogram all) =>
        ShownPercentiles.Of(LatencySeries.Of("rtt", PercentileTable.Of(all)));

    private static LatencyHistogram Histogram(params (long Count, long Value)[] values)
    {
        var histogram = LatencyHistogram.ForLatency();
        foreach (var (count, value) in values)
            histogram.Record(value, count);
        return histogram;
    }
}
