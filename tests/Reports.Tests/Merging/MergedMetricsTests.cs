using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Merging;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>The numbers of several processes are one by the rule that each metric declares.</summary>
public class MergedMetricsTests
{
    private static readonly Metric Busy = new("busy", MetricKind.Ratio) { Merge = MergeRule.Max };
    private static readonly Metric Cost = new("cost", MetricKind.Gauge) { Merge = MergeRule.Mean };
    private static readonly Metric Before = new("before", MetricKind.Gauge) { Merge = MergeRule.None };

    [Fact]
    public void Rows_AreMergedEachByItsOwnRule()
    {
        var rows = Merge(Part(sent: 100, lost: 3, busy: 0.25, cost: 10), Part(sent: 300, lost: 1, busy: 0.5, cost: 30));

        rows.Count(Counted.Sent).ShouldBe(400);
        rows.Count(Counted.Lost).ShouldBe(4);
        rows.Value(Busy).ShouldBe(0.5);
        rows.Value(Cost).ShouldBe(25, "each counts by what its process sent");
        rows.ShouldNotContain(row => row.Name == Before.Name, "what servers hold does not add");
    }

    [Fact]
    public void Rows_OfOneOperation_AreNotThoseOfAnother()
    {
        RecordedMetric[] one = [RecordedMetric.Of(Counted.Sent, 1, "get"), RecordedMetric.Of(Counted.Sent, 10, "set")];
        RecordedMetric[] other = [RecordedMetric.Of(Counted.Sent, 20, "set"), RecordedMetric.Of(Counted.Sent, 2,
            "get")];

        var rows = Merge(one, other);

        (rows.Count(Counted.Sent, "get"), rows.Count(Counted.Sent, "set")).ShouldBe((3, 30));
        rows.Count(Counted.Sent).ShouldBeNull("nobody said how many there were of all");
    }

    [Theory]
    [InlineData(null, 1.0)]
    [InlineData(1.0, null)]
    [InlineData(9e18, 9e18)]
    public void Row_ThatIsNotKnownInAPart_OrNoNumberTogether_IsNotKnown(double? one, double? other)
    {
        foreach (var metric in (Metric[])[Counted.Lost, Busy, Cost])
        {
            if (one is > 1 && metric.Merge != MergeRule.Sum)
                continue;
            Merge([RecordedMetric.Of(metric, one)], [RecordedMetric.Of(metric, other)], [RecordedMetric.Of(metric, 1)])
                .Value(metric).ShouldBeNull(metric.Name);
        }
    }

    [Fact]
    public void Row_ThatAPartDoesNotHave_IsNotInTheWhole_AlthoughALaterOneHasIt() =>
        Merge([RecordedMetric.Of(Counted.Lost, 1)], [], [RecordedMetric.Of(Counted.Lost, 1)]).ShouldBeEmpty();

    [Fact]
    public void Row_ThatMayBeMoreInAPart_MayBeMoreInTheWhole() =>
        Merge(
            [RecordedMetric.Of(Counted.Lost, 1)],
            [RecordedMetric.Of(Counted.Lost, 2) with { IsLeast = true }],
            [RecordedMetric.Of(Counted.Lost, 4)])
            .ShouldHaveSingleItem().ShouldBe(RecordedMetric.Of(Counted.Lost, 7) with { IsLeast = true });

    private static RecordedMetric[] Part(long sent, long lost, double busy, double cost) =>
    [
        RecordedMetric.Of(Counted.Sent, sent), RecordedMetric.Of(Counted.Lost, lost), RecordedMetric.Of(Busy, busy),
        RecordedMetric.Of(Cost, cost), RecordedMetric.Of(Before, 17),
    ];

    private static IReadOnlyList<RecordedMetric> Merge(params RecordedMetric[][] parts)
    {
        var merged = new MergedMetrics();
        foreach (var part in parts)
            merged.Add(part);
        return merged.Rows;
    }
}
