using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Reports.Tests.SavedRuns;

/// <summary>Comparisons of simulated runs, whose numbers scatter by one per cent from run to run.</summary>
public sealed class RunComparisonTests
{
    private static readonly double[] Percentiles = [50, 90, 99, 99.9];

    // At most 5 %: of a hundred, 5 and three standard deviations.
    [Fact]
    public void FiveRunsOfTheSameThing_AreCalledDifferentInAtMostOneOfTwentyComparisons()
    {
        var random = new Random(3);

        var alarms = Enumerable.Range(0, 100).Count(_ =>
            IsDifferent(new RunComparison(Runs(random, 5, 1), Runs(random, 5, 1), [])));

        alarms.ShouldBeLessThanOrEqualTo(5 + 6);
    }

    [Fact]
    public void ThreePerCentMoreOverTenRuns_AreCalledWorse()
    {
        var random = new Random(5);

        var found = Enumerable.Range(0, 100).Count(_ =>
        {
            var comparison = new RunComparison(Runs(random, 10, 1), Runs(random, 10, 1.03), []);
            return comparison.Rows.First(row => row.Name == "rtt.p99").Outcome == ComparisonOutcome.Worse;
        });

        found.ShouldBeGreaterThanOrEqualTo(95);
    }

    [Fact]
    public void OneRunEach_CannotTell_HoweverFarTheyAreApart()
    {
        var random = new Random(1);

        var comparison = new RunComparison(Runs(random, 1, 1), Runs(random, 1, 100), []);

        comparison.Rows.ShouldAllBe(row => row.Outcome == null);
        comparison.Rows[0].Reason.ShouldBe("1 and 1 runs cannot tell, it takes 5 of each");
    }

    [Fact]
    public void Page_OfThousandsOfNumbers_HasThoseThatDiffer_AndSaysHowManyMoreThereAre()
    {
        var random = new Random(5);

        var comparison = new RunComparison(
            Runs(random, 10, 1), Runs(random, 10, 2), Enumerable.Range(0, 2_000).Select(number => $"a.{number}"));
        var section = new ComparedRuns(comparison, [], null).Sections[1];

        var rows = section.Tables.Single().Rows;
        rows.Count.ShouldBe(500);
        rows.Select(row => row[0]).ShouldContain("rtt.p99");
        section.Parts.OfType<Note>().First().Text.ShouldBe(
            $"{comparison.Rows.Count - 500:N0} more numbers, of which none is shown to differ, are in the text.");
    }

    [Fact]
    public void NumberThatOneRunDoesNotKnow_IsNotComparedByTheOthers()
    {
        var random = new Random(1);
        var after = Runs(random, 6, 1);
        var summary = after[0].Summaries[0];
        after[0] = after[0] with { Summaries = [summary with { Latencies = [Series(_ => null)] }] };

        var comparison = new RunComparison(Runs(random, 6, 1), after, []);

        comparison.Rows[0].Outcome.ShouldBeNull();
        comparison.Rows[0].Reason.ShouldBe("not known in 1 of 12 runs");
    }

    private static bool IsDifferent(RunComparison comparison) => comparison.Rows.Any(row =>
        row.Outcome is ComparisonOutcome.Better or ComparisonOutcome.Worse);

    private static List<RunRecord> Runs(Random random, int count, double times) =>
    [
        .. Enumerable.Range(0, count).Select(_ => SampleRunRecord.Create() with
        {
            Verdict = new RunVerdict(VerdictStatus.Valid, []),
            Summaries =
            [
                new RunSummary
                {
                    Name = "a",
                    Rates = new MessageRates { Asked = 1_000, Achieved = 1_000 * Scatter(random) },
                    Latencies = [Series(percentile => (long)(times * 1_000 * percentile * Scatter(random)))],
                },
            ],
        }),
    ];

    private static LatencySeries Series(Func<double, long?> value) => new()
    {
        Name = "rtt",
        Count = 100_000,
        Percentiles = [.. Percentiles.Select(percentile => new PercentileRow(percentile, value(percentile), null, null))],
    };

    // The sum of three even draws has a standard deviation of a half.
    private static double Scatter(Random random) =>
        1 + (0.02 * (random.NextDouble() + random.NextDouble() + random.NextDouble() - 1.5));
}
