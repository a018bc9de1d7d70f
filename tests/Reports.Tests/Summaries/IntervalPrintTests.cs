using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Reports.Tests.Summaries;

/// <summary>The 95 % intervals of percentiles, in text and CSV, or why there is none.</summary>
public class IntervalPrintTests
{
    private const string WhatOneRunCannotTell = "how far another run differs, one run cannot tell";

    [Theory]
    [InlineData("producer", "rtt", "95 % intervals of rtt: ")]
    [InlineData(WorkloadResults.Role, "service", "95 % intervals of service: ")]
    public void Text_OfPercentilesWithIntervals_SaysThem_AndWhatOneRunCannotTell(string role, string name, string head)
    {
        var text = Print(role, Series(name));

        text.ShouldContain($"{head}p50 90.00 µs to 110.0 µs; "
            + "none for p99 (too few independent samples beyond it; measure longer)");
        text.ShouldContain(WhatOneRunCannotTell);
    }

    [Theory]
    [InlineData("producer", "rtt", "95 % intervals of rtt: ")]
    [InlineData(WorkloadResults.Role, "service", "95 % intervals of service: ")]
    public void Text_OfPercentilesWithoutIntervals_SaysWhy(string role, string name, string head)
    {
        var series = Series(name);

        var text = Print(role, series with { Percentiles = [series.Percentiles[1]] });

        text.ShouldContain($"{head}none for p99 (");
        text.ShouldNotContain(WhatOneRunCannotTell);
    }

    [Fact]
    public void Text_OfAPhaseWithASchedule_SaysTheIntervalsOfWhatWasIntended()
    {
        var record = Of(WorkloadResults.Role, Series("response"), Series("service") with { Percentiles = [] });

        Text(record).ShouldContain("95 % intervals of response: p50 90.00 µs to ");
    }

    [Theory]
    [InlineData("producer", "rtt")]
    [InlineData(WorkloadResults.Role, "service")]
    public void Csv_HasWhereIntervalsBeginAndEnd_AndWhatIsMissing(string role, string name)
    {
        var row = Csv(Of(role, Series(name)))[0];

        row["series"].ShouldBe(name);
        (row["p50_ns"], row["p50_lower_ns"], row["p50_upper_ns"]).ShouldBe(("100000", "90000", "110000"));
        (row["p99_ns"], row["p99_lower_ns"], row["p99_upper_ns"]).ShouldBe(("500000", "", ""));
        (row["p99.9_ns"], row["max_ns"], row["mean_ns"]).ShouldBe(("", "", ""));
        row["missing"].ShouldBe("7");
    }

    [Fact]
    public void Csv_OfOneWay_HasThemToo()
    {
        var record = Of("producer", Series("rtt"));
        var way = new OneWaySeries
        {
            Name = "forward",
            Count = 1_000,
            Missing = 7,
            ErrorNs = 25,
            Percentiles = [new PercentileRow(50, -100, -120, -80)],
        };
        var pair = record.Summaries[0].OneWay[0] with { Series = [way] };

        var row = Csv(record with { Summaries = [record.Summaries[0] with { OneWay = [pair] }] })[^1];

        (row["series"], row["error_ns"]).ShouldBe(("forward", "25"));
        (row["p50_lower_ns"], row["p50_upper_ns"], row["missing"]).ShouldBe(("-120", "-80", "7"));
    }

    // Seven have no value, which neither of these percentiles feels.
    private static LatencySeries Series(string name) => new()
    {
        Name = name,
        Count = 10_000,
        Missing = 7,
        Min = 50_000,
        Percentiles =
        [
            new PercentileRow(50, 100_000, 90_000, 110_000),
            new PercentileRow(99, 500_000, null, null) { UnknownInterval = UnknownInterval.TooFewIndependent },
            new PercentileRow(99.9, null, null, null) { Unknown = UnknownPercentile.MissingSamples },
        ],
    };

    private static RunRecord Of(string role, params LatencySeries[] series)
    {
        var record = SampleRunRecord.Create();
        var isOpenLoop = series.Any(one => one.Name == "response");
        return record with
        {
            Role = role,
            Scenario = null,
            Summaries =
            [
                record.Summaries[0] with
                {
                    Delay = null,
                    Sync = null,
                    Latencies = series,
                    Rates = record.Summaries[0].Rates with { Asked = isOpenLoop ? 1_000 : null },
                    Workload = record.Summaries[0].Workload! with
                    {
                        Operations = [.. new[] { "a", "b" }.Select(
                            name => record.Summaries[0].Workload!.Operations[0] with { Name = name })],
                    },
                },
            ],
        };
    }

    private static string Print(string role, LatencySeries series) => Text(Of(role, series));

    private static string Text(RunRecord record)
    {
        var writer = new StringWriter { NewLine = "\n" };
        new SummaryText(record, folder: null).WriteTo(writer);
        return string.Join(' ', writer.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    }

    private static Dictionary<string, string>[] Csv(RunRecord record)
    {
        var writer = new StringWriter { NewLine = "\n" };
        RecordCsv.Write(writer, record);
        var rows = writer.ToString().TrimEnd('\n').Split('\n').Select(line => line.Split(',')).ToList();
        return [.. rows.Skip(1).Select(row => rows[0].Zip(row).ToDictionary(cell => cell.First, cell => cell.Second))];
    }
}
