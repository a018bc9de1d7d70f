using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Page;

public sealed class PageRunTests : IDisposable
{
    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_795_517_311);

    private readonly string _folder = Directory.CreateTempSubdirectory("page").FullName;

    [Fact]
    public async Task Page_OfAnHourOfTwentySeries_IsBelowTwoMegabytes()
    {
        Write(hours: 1, series: 20, (random, second) => (long)(100_000 * (1 + second % 7) * (1 + random.NextDouble())));

        var page = await Page();

        page.Length.ShouldBeInRange(500_000, 2_000_000);
        page.ShouldNotContain("NaN");
    }

    [Fact]
    public void Slices_OfALog_HaveItsValuesExactly()
    {
        Write(hours: 0.1, series: 2, (_, second) => 1_000 * (second + 1));

        var run = new RunTimelines(SavedRun.Open(_folder));

        var series = run.Series.First();
        series.All.TotalCount.ShouldBe(360 * 20);
        series.Slices.Count.ShouldBe(180);
        series.Slices.Sum(slice => slice.Count).ShouldBe(series.All.TotalCount);
        // Two seconds a slice, twenty values each of 1,000 (n + 1) ns.
        series.Slices[0].ShouldSatisfyAllConditions(
            slice => slice.Count.ShouldBe(40),
            slice => slice.P50!.Value.ShouldBe(1_000),
            slice => slice.P90.ShouldBeNull(),
            slice => slice.Max!.Value.ShouldBeInRange(2_000, 2_001),
            slice => slice.Length.ShouldBe(TimeSpan.FromSeconds(2)));
        run.Headline!.Slices.ShouldAllBe(slice => slice.Bands.Counts.Sum() == slice.Count);
    }

    [Fact]
    public void Curve_OfARunThatLostAThird_EndsBeforeTheTwoThirds()
    {
        var sample = Path.Combine(RepositoryRoot.Path, "tests/Reports.Tests/Summaries/Runs/producer");
        File.Copy(Path.Combine(sample, "latency.hlog"), Path.Combine(_folder, "latency.hlog"));
        var record = JsonNode.Parse(File.ReadAllText(Path.Combine(sample, "run.json")))!;
        record["summaries"]![0]!["latencies"]![0]!["missing"] = 30_000;
        File.WriteAllText(Path.Combine(_folder, "run.json"), record.ToJsonString());

        var page = new PageRun(SavedRun.Open(_folder));

        var curve = page.Charts.First(chart => chart.Title == "Percentiles").Lines
            .First(line => line.Name == "rtt-intended");
        curve.Points.Where(point => point.Y is not null).Max(point => point.X).ShouldBeInRange(60, 66.7);
        page.Charts.First(chart => chart.Title == "rtt-intended over time").Note
            .ShouldContain("30,000 have no value that could be shown");
    }

    // The wall clock was set by an hour before the record was written; the monotonic clock was not.
    [Fact]
    public void Mark_OfAnEvent_StandsWhereItHappened_EvenIfTheWallClockWasSet()
    {
        var page = Sampled(record => record["events"] = new JsonArray(new JsonObject
        {
            ["atUtc"] = "2026-11-24T11:48:38+00:00",
            ["atNs"] = 78_814_977_376_137 + 5_000_000_000,
            ["kind"] = "reconnected",
            ["text"] = "stream 0",
        }));

        var mark = page.Charts.First(chart => chart.NamesMarks).Marks.First(mark => !mark.IsPause);
        (mark.Kind, mark.Text).ShouldBe(("reconnected", "stream 0"));
        mark.X.ShouldBe(5, 0.05);
    }

    [Fact]
    public void Marks_OfPauses_StandInTheirSeconds()
    {
        var page = Sampled(_ => { }, (second, log) =>
        {
            log("rtt-intended", 20, 1_000_000);
            log("hiccups", 200, second == 7 ? 50_000_000 : 100_000);
            if (second == 4)
                log("gc-pauses", 1, 30_000_000);
        });

        var marks = page.Charts.First(chart => chart.NamesMarks).Marks;
        marks.Select(mark => mark.Kind).ShouldBe(["gc", "pause"]);
        marks.Select(mark => mark.X).ShouldBe([4.5, 7.5]);
        marks[0].Text.ShouldStartWith("garbage collection stopped this tool for 30.0");
        page.Charts.ShouldNotContain(chart => chart.Lines.Any(line => line.Name.Contains("gc", StringComparison.Ordinal)));
    }

    // What comes back while the run waits for its stragglers, and what is left of a second, is no throughput.
    [Fact]
    public void Throughput_IsOfTheMeasuredPhaseAlone()
    {
        var page = Sampled(
            record => record["summaries"]![0]!["rates"]!["asked"] = 20,
            (second, log) => log("rtt-intended", second < 12 ? 20 : 0, 1_000_000),
            seconds: 15);

        var lines = page.Charts.First(chart => chart.Title == "Throughput, per second").Lines;
        lines.Select(line => line.Name).ShouldBe(["with a value", "asked"]);
        lines.ShouldAllBe(line => line.Points.Count == 12 && line.Points.All(point => point.Y == 20));
    }

    [Fact]
    public void Command_NamesAnOptionAsOftenAsItWasGiven()
    {
        var page = Sampled(record => record["options"] = JsonNode.Parse(
            """
            [{ "name": "threshold", "value": "rtt.p99 < 2ms lost==0", "values": ["rtt.p99 < 2ms", "lost==0"],
               "source": "command line" }]
            """));

        page.Command.ShouldBe("redis-latency producer --threshold 'rtt.p99 < 2ms' --threshold lost==0");
    }

    [Fact]
    public void Line_EndsWhereNothingWasLogged_AndBeginsAnew()
    {
        var page = Sampled(_ => { }, (second, log) =>
        {
            if (second is < 4 or > 7)
                log("rtt-intended", 100, 1_000_000);
        });

        var line = page.Charts.First(chart => chart.Title == "rtt-intended over time").Lines[0];
        line.Points.Count(point => point.Y is null).ShouldBe(1);
        line.Points.First(point => point.Y is null).X.ShouldBe(6, 0.01);
    }

    [Theory]
    [InlineData("A", true)]
    [InlineData("F", false)]
    public void OneWay_OfClocksThatContradictEachOther_IsNotDrawn(string grade, bool isDrawn)
    {
        var page = Sampled(record => record["summaries"]![0]!["oneWay"]![0]!["grade"] = grade, (_, log) =>
        {
            log("rtt-intended", 100, 1_000_000);
            log("forward", 100, 500_000);
        });

        page.Charts.Concat(page.OtherCharts).SelectMany(chart => chart.Lines.Select(line => $"{chart.Title} {line.Name}"))
            .Any(name => name.Contains("forward", StringComparison.Ordinal)).ShouldBe(isDrawn);
    }

    [Fact]
    public void ForwardOfAConsumer_IsNoThroughput_AndSaysThatItCameLater()
    {
        Write(hours: 0.01, series: 1, (_, _) => 1_000_000);
        var log = Path.Combine(_folder, "latency.hlog");
        var text = File.ReadAllText(log);
        File.WriteAllText(
            log,
            text.Replace("Tag=s0", "Tag=residence", StringComparison.Ordinal)
                + string.Concat(text.Split('\n').Where(line => line.StartsWith("Tag=", StringComparison.Ordinal)).Skip(30)
                    .Select(line => line.Replace("Tag=s0", "Tag=forward", StringComparison.Ordinal) + '\n')));

        var page = new PageRun(SavedRun.Open(_folder));

        page.Charts.First(chart => chart.Title == "forward over time").Note.ShouldContain("where they became known");
        page.Charts.First(chart => chart.Title == "Throughput, per second").Lines[0].Points.Count.ShouldBe(36);
    }

    [Fact]
    public void Delay_ThatLiesBetweenTwoValues_IsDrawnAsBoth()
    {
        Sampled(_ => { }, (_, log) =>
        {
            log("delay-lower", 100, 1_000_000);
            log("delay", 100, 5_000_000);
            log("delay-upper", 100, 9_000_000);
        });
        File.Delete(Path.Combine(_folder, "run.json"));

        var page = new PageRun(SavedRun.Open(_folder));

        page.Charts.First(chart => chart.Title == "delay over time").Lines.Select(line => line.Name)
            .ShouldAllBe(name => name.EndsWith(" at least", StringComparison.Ordinal)
                || name.EndsWith(" at most", StringComparison.Ordinal));
        page.Charts[0].Lines.ShouldNotContain(line => line.Name == "delay");
        page.Heat!.Note.ShouldContain("in the middle of the two values");
    }

    // The whole process stood still for 2.6 s: what came then was logged as one interval.
    [Fact]
    public void Pause_IsOnePointThatStandsAlone_AndTheSecondsAfterItStandAsBefore()
    {
        Log([("rtt-intended", 0, 1), ("rtt-intended", 1, 1), ("rtt-intended", 2, 3.6),
            .. Enumerable.Range(0, 9).Select(second => ("rtt-intended", 5.6 + second, 1.0)), ("rtt-intended", 14.6, 0.2)]);

        var line = new PageRun(SavedRun.Open(_folder)).Charts.First(chart => chart.Title == "rtt-intended over time")
            .Lines[0];

        line.Points.Where(point => point.Y is not null).Select(point => Math.Round(point.X, 2)).ShouldBe(
            [0.5, 1.5, 3.8, 6.1, 7.1, 8.1, 9.1, 10.1, 11.1, 12.1, 13.1, 14.2]);
        line.Points.Where(point => point.Y is null).Select(point => Math.Round(point.X, 2)).ShouldBe([2.0, 5.6]);
    }

    [Fact]
    public void Phases_OfASweep_EachHaveTheirSlices_HoweverShort()
    {
        Log([.. Enumerable.Range(0, 32).SelectMany(phase => new[]
        {
            ($"{phase + 1}.service", 10.0 * phase, phase % 2 == 0 ? 10.0 : 1.0),
        })]);
        File.WriteAllText(
            Path.Combine(_folder, "run.json"),
            File.ReadAllText(Path.Combine(
                RepositoryRoot.Path, "tests/Reports.Tests/Summaries/Runs/load/run.json")));

        var run = new RunTimelines(SavedRun.Open(_folder));

        run.Headline!.Slices.Count.ShouldBe(32);
        run.Headline.Slices.ShouldAllBe(slice => slice.Count == 20);
    }

    [Fact]
    public async Task Series_MoreThanAFew_AreBehindBoxesThatAllWork_AndTheAxisFitsWhatIsShown()
    {
        Log([.. Enumerable.Range(0, 126).Select(number => ($"{number + 1}.lateness", 0.0, 1.0)), ("rtt", 0, 1)],
            tag => tag == "rtt" ? 100_000_000 : 100);

        var page = await Page();

        var chart = new PageRun(SavedRun.Open(_folder)).Charts.First(chart => chart.Title == "Percentiles");
        chart.Lines.Select(line => line.Name).Except(chart.Hidden).ShouldBe(["rtt"]);
        chart.Y.Ticks.Where(tick => tick.Place is >= 0 and <= 1).Select(tick => tick.Label)
            .ShouldBe(["100 ms", "200 ms", "500 ms"]);
        page.ShouldContain("<summary>126 more lines</summary>");
        for (var line = 0; line < 127; line++)
            page.ShouldContain($".chart:has(.s{line}:not(:checked)) .l{line} {{ display: none; }}");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>A log of intervals, each of twenty values of a millisecond, from when on and for how many seconds.</summary>
    private void Log(IReadOnlyList<(string Tag, double From, double Length)> intervals, Func<string, long>? value = null)
    {
        using var stream = File.Create(Path.Combine(_folder, "latency.hlog"));
        var log = new IntervalLogWriter(stream, Start, "test");
        var histogram = LatencyHistogram.ForLatency();
        foreach (var (tag, from, length) in intervals)
        {
            histogram.Reset();
            histogram.Record(value?.Invoke(tag) ?? 1_000_000, 20);
            log.Write(tag, Start.AddSeconds(from), TimeSpan.FromSeconds(length), histogram);
        }
    }

    private PageRun Sampled(
        Action<JsonNode> change, Action<int, Action<string, int, long>>? interval = null, int seconds = 12)
    {
        var record = JsonNode.Parse(File.ReadAllText(
            Path.Combine(RepositoryRoot.Path, "tests/Reports.Tests/Summaries/Runs/producer/run.json")))!;
        change(record);
        File.WriteAllText(Path.Combine(_folder, "run.json"), record.ToJsonString());
        var start = record["phases"]!.AsArray()[^1]!["startUtc"]!.GetValue<DateTimeOffset>();
        using (var stream = File.Create(Path.Combine(_folder, "latency.hlog")))
        {
            var log = new IntervalLogWriter(stream, start, "test");
            var histogram = LatencyHistogram.ForLatency();
            for (var second = 0; second < seconds; second++)
            {
                var at = start.AddSeconds(second);
                (interval ?? ((_, log) => log("rtt-intended", 20, 1_000_000)))(second, (tag, count, value) =>
                {
                    histogram.Reset();
                    histogram.Record(value, count);
                    log.Write(tag, at, TimeSpan.FromSeconds(1), histogram);
                });
            }
        }

        return new PageRun(SavedRun.Open(_folder));
    }

    private async Task<string> Page()
    {
        var writer = new StringWriter();
        await RunPage.WriteAsync(writer, [new PageRun(SavedRun.Open(_folder))], [], string.Empty);
        return writer.ToString();
    }

    private void Write(double hours, int series, Func<Random, int, long> value)
    {
        var random = new Random(1);
        using var stream = File.Create(Path.Combine(_folder, "latency.hlog"));
        var log = new IntervalLogWriter(stream, Start, "test");
        var histogram = LatencyHistogram.ForLatency();
        for (var second = 0; second < hours * 3_600; second++)
        {
            for (var number = 0; number < series; number++)
            {
                histogram.Reset();
                for (var count = 0; count < 20; count++)
                    histogram.Record(value(random, second));
                log.Write($"s{number}", Start.AddSeconds(second), TimeSpan.FromSeconds(1), histogram);
            }
        }
    }
}
