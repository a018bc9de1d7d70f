using RedisLatency.Fixtures;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Producer.OneWay;
using RedisLatency.Producer.Tests.Measuring;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Producer.Tests.OneWay;

public class OneWayTextTests
{
    private const int PageWidth = 80;

    /// <summary>Of a run in which the clock stepped by less than the round trip, which no probe contradicts.</summary>
    [Fact]
    public void Text_OfWhatTheBoundAssumes_NamesEachThatIsNotZero_WithTheSizesOfThisRun()
    {
        const long Second = 1_000_000_000;
        var tracker = new OffsetTracker(new OffsetAssumptions { BackFloorNs = 13_500_000 });
        for (var sent = 0L; sent < 20 * Second; sent += Second / 200)
        {
            var received = sent + 14_000_000 + (sent < 10 * Second ? 0 : 5_000_000);
            tracker.Add(new ClockProbe(sent, received, received, sent + 28_000_000));
        }

        tracker.Complete(20 * Second);

        tracker.UnseenStepNs.ShouldBeInRange(4_500_000, 5_500_000);
        tracker.UnseenMomentNs.ShouldBeGreaterThan(0);
        Flow(RunOf(SamplePair.With(212_000) with { Assumptions = PairAssumptions.Describe(tracker) })).ShouldContain(
            "E assumes: oscillator 50 ppm, unsampled-slew 500 ppm, wander 0.1 ppm, "
            + $"unseen-step {Quantity.Duration(tracker.UnseenStepNs)}, "
            + $"unseen-moment {Quantity.Duration(tracker.UnseenMomentNs)}, consumer-honesty 1 consumer, "
            + "stamp-error 0.100 µs, back-floor 13.50 ms; not that both ways take equally long: a difference of x "
            + "between them shifts the split by x/2, within E");
    }

    [Fact]
    public void Text_OfAGoodPair_ShowsOneWayFirst_EachValueWithItsBound()
    {
        var lines = Print(RunOf(SamplePair.With(212_000)));

        lines.SkipLast(1).ShouldAllBe(line => line.Length <= PageWidth);
        lines.ShouldContain("ONE WAY, ms");
        lines.ShouldContain("  producer eu-1 to consumer us-1 in us-east and back; grade A");
        var text = string.Join('\n', lines);
        text.IndexOf("forward-intended ±E", StringComparison.Ordinal)
            .ShouldBeLessThan(text.IndexOf("forward-variation", StringComparison.Ordinal));
        var median = lines.First(line => line.StartsWith("  p50") && line.Contains('±'));
        median.ShouldContain("±0.212");
        median.ShouldContain("..");
        text.ShouldContain("asymmetry: mean forward − back = +2.000 ms ±424.0 µs (2 E)");
        text.ShouldContain("RTT/2 (assumes");
    }

    [Fact]
    public void Text_OfAWideBound_ShowsTheRoundTripFirst()
    {
        var lines = Print(RunOf(SamplePair.With(20_000_000)));

        var text = string.Join('\n', lines);
        text.IndexOf("forward-variation", StringComparison.Ordinal)
            .ShouldBeLessThan(text.IndexOf("forward-intended ±E", StringComparison.Ordinal));
        Flow(lines).ShouldContain("The headline is the round trip: E is 52.62 % of the smaller median, more than");
    }

    [Fact]
    public void Text_NamesEveryClaimWithItsFate()
    {
        var text = Flow(Print(RunOf(SamplePair.With(212_000))));

        text.ShouldContain("claim utc ±212.0 µs (eu-1 by chrony, us-1 by chrony) accepted: both hosts have an");
        text.ShouldContain("claim same clock (eu-1, us-1) refused: they are not of one boot");
    }

    [Fact]
    public void Text_OfAnAcceptedClaim_SaysFromWhereTheProbesWouldHaveRefutedIt()
    {
        var pair = SamplePair.With(212_000);

        Flow(RunOf(pair with { Claims = [pair.Claims[0] with { UnrefutedNs = 14_000_000 }] })).ShouldContain(
            "probes would have refuted it if wrong by 14.00 ms or more");
    }

    /// <summary>By their names, and those of a size that is the same in every run with it.</summary>
    [Fact]
    public void Assumptions_AreThoseOfTheDocument()
    {
        var assumptions = PairAssumptions.Describe(new OffsetTracker(new OffsetAssumptions()));
        var printed = Flow(RunOf(SamplePair.With(212_000) with { Assumptions = assumptions }));

        var described = File.ReadLines(RepositoryRoot.Combine("docs", "clocks.md"))
            .SkipWhile(line => line != "## What the proof rests on").SkipWhile(line => !line.StartsWith("|--"))
            .Skip(1).TakeWhile(line => line.StartsWith('|'))
            .SelectMany(line => line.Split('|')[1].Split('`').Where((_, part) => part % 2 == 1))
            .Where(text => !text.StartsWith("claim ")).ToList();

        described.Select(text => text.Split(' ')[0]).ShouldBe(assumptions.Select(one => one.Name));
        foreach (var sized in described.Where(text => text.Any(char.IsDigit)))
            printed.ShouldContain(sized);
    }

    [Fact]
    public void Text_OfStampsThatCannotBe_AndNoOffset_CountsThemAndTellsNoError()
    {
        var pair = SamplePair.With(212_000);
        pair = pair with
        {
            Offset = null,
            ImpossibleStamps = 1_000,
            Claims = [pair.Claims[0] with { ContradictedWindows = 3 }],
        };

        var lines = Print(RunOf(pair));

        Flow(lines).ShouldContain("; impossible 1,000, contradicting 0");
        Flow(lines).ShouldContain(
            "claim utc ±212.0 µs (eu-1 by chrony, us-1 by chrony) refuted by the probes in 3 windows");
        lines[^1].ShouldContain(" grade=F");
        lines[^1].ShouldNotContain("clock-error");
    }

    [Fact]
    public void Text_OfNegativePercentiles_KeepsTheSign()
    {
        var pair = SamplePair.With(1_000_000);
        pair = pair with { Series = [SamplePair.SeriesOf("forward", -500_000, 1_000_000)] };

        var lines = Print(RunOf(pair));

        lines.ShouldContain(line => line.StartsWith("  p50") && line.Contains("-501.") && line.Contains("±1,000"));
        Flow(lines).ShouldContain("negative: forward 1,500");
    }

    [Fact]
    public void Text_OfASyntheticClock_SaysSo() =>
        Flow(Print(RunOf(SamplePair.With(1_000) with { IsSynthetic = true }))).ShouldContain("clock: synthetic, by probes∩utc; θ = +1,284 µs");

    [Fact]
    public void Text_OfPlainCounts_SaysWhyThereIsNothing()
    {
        var run = SampleRun.On("a:1");
        var record = run with
        {
            Summaries = [run.Summaries[0] with { NoOneWayBecause = "plain counts carry no stamps." }],
        };

        Print(record).ShouldContain("  not measured: plain counts carry no stamps.");
    }

    [Fact]
    public void ResultLine_HasGradeBoundAndMedians() =>
        Print(RunOf(SamplePair.With(212_000)))[^1].ShouldContain(
            " clock-error=212000 forward-intended.p50=");

    [Fact]
    public void Text_OfARecordReadAgain_IsTheSame()
    {
        // What is read again has to agree with itself: as many values as returned.
        var record = RunOf(SamplePair.With(212_000));
        record = record with
        {
            Summaries =
            [
                .. record.Summaries.Select(summary => summary with
                {
                    Latencies =
                    [
                        .. summary.Latencies.Select(
                            series => series with { Count = summary.Count(Counted.Returned) }),
                    ],
                }),
            ],
        };
        var again = RunRecordReader.Parse("test", RunRecordWriter.Serialize(record, []));

        Print(again).ShouldBe(Print(record));
    }

    private static RunRecord RunOf(OneWayPair pair)
    {
        var run = SampleRun.On("10.0.0.5:6379");
        return run with { Summaries = [run.Summaries[0] with { OneWay = [PairGrading.Grade(pair)] }] };
    }

    internal static string Flow(RunRecord record) => Flow(Print(record));

    private static string Flow(IEnumerable<string> lines) => string.Join(' ', lines.Select(line => line.Trim()));

    private static string[] Print(RunRecord record)
    {
        var writer = new StringWriter { NewLine = "\n" };
        new SummaryText(record, "results/night").WriteTo(writer);
        return writer.ToString().TrimEnd('\n').Split('\n');
    }
}
