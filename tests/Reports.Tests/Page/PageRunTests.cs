using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Records;
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

    // A line of one point has no length.
    [Theory]
    [InlineData(1, true)]
    [InlineData(8, false)]
    public async Task Line_OfOnePoint_IsDrawnAsADot(int seconds, bool isDot)
    {
        Write(seconds / 3_600.0, series: 1, (_, _) => 100_000);

        var page = await Page();

        page.Contains("class=\"line dots l0", StringComparison.Ordinal).ShouldBe(isDot);
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
    public void Delay_ThatLiesBetweenTwoValues_IsABandBetweenThem()
    {
        Sampled(_ => { }, (_, log) =>
        {
            log("delay-lower", 100, 1_000_000);
            log("delay", 100, 5_000_000);
            log("delay-upper", 100, 9_000_000);
        });
        File.Delete(Path.Combine(_folder, "run.json"));

        var page = new PageRun(SavedRun.Open(_folder));

        foreach (var title in new[] { "delay over time", "Percentiles" })
        {
            var chart = page.Charts.First(chart => chart.Title == title);
            foreach (var band in chart.Lines)
            {
                band.Points.ShouldAllBe(point => point.Y == null || (point.Y > 8.99e6 && point.Y < 9.01e6));
                band.Least!.ShouldAllBe(point => point.Y == null || (point.Y > 0.999e6 && point.Y < 1.001e6));
            }

            chart.Numbers.Tables.First().Rows[^1][^1].ShouldBe("1.000..9.003");
        }

        page.Charts.First(chart => chart.Title == "Percentiles").Lines.Select(line => line.Name).ShouldBe(["delay"]);
        page.OtherCharts.ShouldBeEmpty();
        page.Heats.ShouldHaveSingleItem().Note.ShouldContain("in the middle of the two values");
    }

    // A lower bound of nothing has no place on an axis of orders of magnitude: the band reaches its foot.
    [Fact]
    public void Band_FromZero_ReachesTheFootOfTheChart()
    {
        var band = new ChartLine("delay", [(0, 1e6), (1, 1e6), (2, null), (3, 1e6)])
        {
            Least = [(0, 0), (1, 1e5), (2, 1e5), (3, 1e5)],
        };

        var axis = ChartAxis.Durations(band.Known);

        band.Path(ChartAxis.Seconds(3), axis).ShouldBe("M0 0L333.3 0L333.3 1000L0 1100zM1000 0L1000 1000z");
        band.Reach(axis).ShouldBe((0, 1_000));
    }

    // 1 ms of the first, 3 ms of the second, in turns of a second.
    [Fact]
    public async Task Servers_ThatWereMeasuredInTurns_ShareChartsAndTiles()
    {
        var folder = Path.Combine(RepositoryRoot.Path, "tests/Golden/runs/two");
        var record = JsonNode.Parse(File.ReadAllText(Path.Combine(folder, "run.json")))!;
        File.Copy(Path.Combine(folder, "run.json"), Path.Combine(_folder, "run.json"));
        Log(
            [.. Enumerable.Range(0, 8).Select(turn => (
                $"{(turn % 2 == 0 ? "a" : "b")}.rtt-intended", (double)turn, 1.0))],
            tag => tag[0] == 'a' ? 1_000_000 : 3_000_000);
        var names = record["summaries"]!.AsArray().Select(summary => summary!["name"]!.GetValue<string>()).ToList();

        var page = new PageRun(SavedRun.Open(_folder));

        var curves = page.Charts[0];
        curves.Title.ShouldBe("Percentiles");
        curves.Lines.Where(line => !curves.Hidden.Contains(line.Name)).Select(line => line.Name)
            .ShouldBe([$"a: {names[0]}", $"b: {names[1]}"]);
        var overTime = page.Charts.First(chart => chart.NamesMarks);
        overTime.Title.ShouldBe("rtt-intended over time, side by side");
        overTime.Lines.Where(line => line.Name.EndsWith(", p50", StringComparison.Ordinal))
            .Select(line => line.Points.Count(point => point.Y is not null)).ShouldBe([4, 4]);
        overTime.Lines.ShouldAllBe(line => line.IsDotted);
        page.Heats.Count.ShouldBe(2);
        page.Heats[0].Most.ShouldBe(page.Heats[1].Most);
        page.Tiles.Select(tile => tile.Name).ShouldBe(["p50", "p99", "rate", "without a value", "reordered"]);
        page.Tiles.ShouldAllBe(tile => tile.Values.Select(value => value.Of).SequenceEqual(new[] { "a", "b" }));
        (await Page()).ShouldContain("<b>b</b>");
    }

    // What the table counts of a series its curve has, with what is missing; the sums of a mix too.
    [Theory]
    [InlineData("producer", 0)]
    [InlineData("two", 0)]
    [InlineData("delay", 0)]
    [InlineData("load-rate", 0)]
    [InlineData("load/host-a", 1)]
    public void Curves_HaveAllThatTheTableCounts(string run, int summary)
    {
        var folder = Path.Combine(RepositoryRoot.Path, "tests/Golden/runs", run);
        File.Copy(Path.Combine(folder, "latency.hlog"), Path.Combine(_folder, "latency.hlog"));
        var record = JsonNode.Parse(File.ReadAllText(Path.Combine(folder, "run.json")))!;
        record["summaries"]![summary]!["latencies"]![0]!["missing"] = 1_000_000;
        File.WriteAllText(Path.Combine(_folder, "run.json"), record.ToJsonString());

        var saved = SavedRun.Open(_folder);
        var curves = new RunTimelines(saved).Series.ToDictionary(series => series.Name, series => series.All);

        foreach (var row in PageTables.Percentiles(saved.Record!).Tables.First().Rows.Where(row => row[0] != "wait"))
        {
            var heads = PageTables.Percentiles(saved.Record!).Tables.First().Heads.ToList();
            curves.ShouldContainKey(row[0]);
            var (count, missing) = (row[heads.IndexOf("n")], row[heads.IndexOf("missing")]);
            $"{row[0]}: {curves[row[0]].TotalCount:N0}, {curves[row[0]].Beyond:N0}"
                .ShouldBe($"{row[0]}: {count}, {(missing.Length > 0 ? missing : "0")}");
        }

    }

    [Theory]
    [InlineData(2_000_000)]
    [InlineData(200_000_000)]
    public async Task Mark_OfAPause_IsAsHighAsItWasLong(long pause)
    {
        Sampled(_ => { }, (second, log) =>
        {
            log("rtt-intended", 20, second == 3 ? 1_000_000_000 : 1_000_000);
            log("hiccups", 200, second == 7 ? pause : 100_000);
        });

        var page = new PageRun(SavedRun.Open(_folder));
        var chart = page.Charts.First(chart => chart.NamesMarks);

        chart.Marks.ShouldHaveSingleItem().PauseNs!.Value.ShouldBeInRange(pause, pause + (pause / 1_000));
        var top = 1_000 * (1 - chart.Y.PlaceOf(pause));
        var drawn = System.Text.RegularExpressions.Regex.Match(
            await Page(), "class=\"mark pause\" d=\"M[\\d.]+ ([\\d.]+)V1000\"").Groups[1].Value;
        double.Parse(drawn, System.Globalization.CultureInfo.InvariantCulture).ShouldBe(top, 1);
    }

    [Fact]
    public void Heatmap_SaysWhatItsColoursMean()
    {
        var page = Sampled(_ => { }, (second, log) => log("rtt-intended", second == 5 ? 4_096 : 1, 1_000_000));

        var heat = page.Heats.ShouldHaveSingleItem();

        heat.Scale.ShouldBe([1, 4, 16, 64, 256, 1_024]);
        heat.Most.ShouldBe(4_096);
    }

    // A synchronisation whose every entry takes a tenth of a second, two hundred of them in each.
    [Fact]
    public void Backlog_OfASynchronisation_IsWhatWasUnderWay()
    {
        File.Copy(
            Path.Combine(RepositoryRoot.Path, "tests/Golden/runs/scan/run.json"), Path.Combine(_folder, "run.json"));
        Log(
            [.. Enumerable.Range(0, 10).SelectMany(second => Enumerable.Repeat(("lag", (double)second, 1.0), 10))],
            _ => 100_000_000);

        var page = new PageRun(SavedRun.Open(_folder));

        page.Charts.First(chart => chart.Title.StartsWith("Backlog", StringComparison.Ordinal)).Lines
            .ShouldHaveSingleItem().Points.ShouldAllBe(point => point.Y > 19.9 && point.Y < 20.1);
        page.Tiles.Select(tile => tile.Name).ShouldBe(["keys", "commands", "skipped", "p50", "p99", "rate"]);
    }

    [Fact]
    public void Offset_OfClocksThatAreFarApart_IsDrawnFromItsFirstValue()
    {
        var page = Sampled(_ => { });
        File.WriteAllLines(Path.Combine(_folder, "clock.ndjson"),
        [
            """{"kind":"clocks","unixNs":0,"monotonicNs":0}""",
            """{"kind":"pair","pair":0,"target":"a","consumer":"far"}""",
            .. Enumerable.Range(0, 3).Select(window => $$"""
                {"kind":"window","pair":0,"startNs":{{1_795_963_718 + window}}000000000,"break":"none","isBounded":true,
                """ + $$"""
                "offsetNs":5000000{{window}}000,"errorNs":500}
                """),
        ]);

        page = new PageRun(SavedRun.Open(_folder));

        var chart = page.Charts.First(chart => chart.Title == "Offset of the clock of a, far");
        chart.Lines[0].Points.Select(point => point.Y).ShouldBe([0, 1_000, 2_000]);
        chart.Note.ShouldEndWith("It is drawn from its first value, 50.00 s.");
    }

    // The whole process stood still for 2.6 s: what came then was logged as one interval.
    [Fact]
    public void Pause_IsOnePointThatStandsAlone_AndTheSecondsAfterItStandAsBefore()
    {
        Log([("rtt-intended", 0, 1), ("rtt-intended", 1, 1), ("rtt-intended", 2, 3.6),
            .. Enumerable.Range(0, 9).Select(second => ("rtt-intended", 5.6 + second, 1.0)), ("rtt-intended", 14.6, 0.2)]);

        var chart = new PageRun(SavedRun.Open(_folder)).Charts
            .First(chart => chart.Title == "rtt-intended over time");

        chart.Note.ShouldStartWith("Each point is of 1 s of the run");
        var line = chart.Lines[0];
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

    [Fact]
    public async Task Page_OfHundredsOfSeries_IsBelowTwoMegabytes_AndSaysWhatItHasNoChartOf()
    {
        Log([.. Enumerable.Range(0, 60).SelectMany(second => Enumerable.Range(0, 330).Select(
            number => ($"{number + 1}.rtt", (double)second, 1.0)))]);

        var page = new PageRun(SavedRun.Open(_folder));
        var text = await Page();

        page.OtherCharts.Count.ShouldBeInRange(40, 100);
        page.Charts.First(chart => chart.Title == "Percentiles").Lines.Count.ShouldBe(128);
        text.Length.ShouldBeLessThan(2_000_000);
        text.ShouldContain($"; another {329 - page.OtherCharts.Count} are in the tables alone");
        text.ShouldContain("202 more series are in the table alone.");
    }

    [Fact]
    public async Task Notes_MoreThanThree_AreFolded()
    {
        Sampled(record => record["verdict"]!["reasons"] = new JsonArray(
            [.. Enumerable.Range(1, 9).Select(number => (JsonNode)$"Reason {number}.")]));

        var text = await Page();

        text.ShouldContain("<ul class=\"reasons\"><li>Reason 1.</li><li>Reason 2.</li></ul>");
        text.ShouldContain("more</summary><ul><li>Reason 3.</li>");
    }

    [Fact]
    public void Thresholds_ThatDidNotHold_ComeFirst_AndAreInTheAnswer()
    {
        var page = Sampled(record =>
        {
            record["verdict"]!["reasons"] = new JsonArray("Reason 1.", "Reason 2.", "Reason 3.");
            record["thresholds"] = JsonNode.Parse(
                """
                [{ "expression": "lost == 0", "held": true, "reason": "✓ lost == 0   0" },
                 { "expression": "rtt.p99 < 1 µs", "held": false, "reason": "✗ rtt.p99 < 1 µs   2 ms" }]
                """);
        });

        page.Status.ShouldBe("not-valid");
        page.Answer.ShouldContain(", 1 of 2 thresholds not held: ");
        page.Notes.ShouldBe(["✗ rtt.p99 < 1 µs   2 ms", "Reason 1.", "Reason 2.", "Reason 3.", "✓ lost == 0   0"]);
    }

    // What was achieved differs a little in any two phases.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LatencyAgainstThroughput_IsOfPhasesThatWereAskedForDifferentRates(bool isSwept)
    {
        var folder = Path.Combine(RepositoryRoot.Path, "tests/Reports.Tests/Summaries/Runs/load");
        File.Copy(Path.Combine(folder, "latency.hlog"), Path.Combine(_folder, "latency.hlog"));
        var record = JsonNode.Parse(File.ReadAllText(Path.Combine(folder, "run.json")))!;
        var run = record["summaries"]![1]!;
        record["summaries"] = new JsonArray([.. Enumerable.Range(0, 12).Select(phase =>
        {
            var summary = run.DeepClone();
            summary["name"] = $"p{phase}";
            summary["workload"]!["phase"] = $"p{phase}";
            var achieved = run["rates"]!["achieved"]!.GetValue<double>();
            summary["rates"] = new JsonObject
            {
                ["asked"] = isSwept ? 1_000 * (phase + 1) : 1_000,
                ["achieved"] = achieved * (1 + (phase / 10_000.0)),
            };
            return summary;
        })]);
        File.WriteAllText(Path.Combine(_folder, "run.json"), record.ToJsonString());

        var page = new PageRun(SavedRun.Open(_folder));

        page.Charts.Any(chart => chart.Title == "Latency against throughput").ShouldBe(isSwept);
        // The numbers are of the phase that the answer tells of.
        foreach (var tile in new[] { "p50", "p99" })
            page.Tiles.Single(one => one.Name == tile).Note.ShouldEndWith(" of p11");
        // Of so many each is a row.
        var counts = page.Tables.Single(table => table.Heading == "Counts").Tables.Single();
        (counts.Heads[0], counts.Rows.Count).ShouldBe(("phase", 12));
    }

    [Fact]
    public void Axis_OfManyDecades_EndsWhereItsValuesDo()
    {
        var axis = ChartAxis.Durations([70_000, 12_000_000_000]);

        (axis.PlaceOf(50_000), axis.PlaceOf(20_000_000_000)).ShouldBe((0, 1));
        axis.Ticks.Select(tick => tick.Label).ShouldBe(["100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
    }

    // Three steps of a second: nothing but the log and what the search knows is there.
    [Fact]
    public void SearchUnderWay_HasItsSteps_AndTheNumbersOfTheLastPhase()
    {
        Log(
            [.. Enumerable.Range(0, 3).SelectMany(phase => Enumerable.Range(0, 6).Select(second => (
                $"{phase + 1}.get-response", (6.0 * phase) + second, 1.0)))],
            tag => tag[0] == '3' ? 3_000_000 : 1_000_000);
        var search = new RateSearchResult
        {
            Limit = "response.p99<2ms",
            Percentile = 99,
            LimitNs = 2e6,
            Held = 2_000,
            Steps = [.. new[] { 1_000.0, 2_000, 4_000 }.Select(rate => new SearchStep
            {
                Phase = $"step at {rate}",
                Asked = rate,
                MedianNs = 500_000,
                ValueNs = rate > 2_000 ? 3_000_000 : 1_000_000,
                Outcome = rate > 2_000 ? StepOutcome.Missed : StepOutcome.Held,
            })],
        };

        var page = new PageRun(SavedRun.UnderWay(_folder), new RunUnderWay
        {
            Doing = "measuring for 18 s",
            Began = Start,
            Search = search,
            CountedOf = [.. Enumerable.Range(1, 12).Select(phase => $"step {phase}")],
            Counts = [("sent", [.. Enumerable.Range(1, 12).Select(_ => "20")])],
        });

        page.Charts[0].Title.ShouldBe("Latency against rate");
        page.Charts[0].Lines.Select(line => line.Name).ShouldBe(["p50", "p99", "limit"]);
        page.Tiles.Select(tile => tile.Name).ShouldBe(["highest rate", "p50", "p99", "slowest", "rate"]);
        page.Tiles.Select(tile => tile.Note).ShouldBe(
        [
            "under response.p99<2ms", "response of phase 3", "response of phase 3", "response of phase 3",
            "with a value",
        ]);
        page.Tiles[1].Values.ShouldHaveSingleItem().Text.ShouldStartWith("3.0");
        page.Charts.First(chart => chart.NamesMarks).Marks.Select(mark => (mark.X, mark.Kind, mark.Text))
            .ShouldBe([(0, "phase", "1"), (6, "phase", "2"), (12, "phase", "3")]);
        // Of so many phases each is a row.
        var counts = page.Tables.Single(table => table.Heading == "Counts so far").Tables.Single();
        (counts.Heads[0], counts.Rows.Count).ShouldBe(("phase", 12));
    }

    [Fact]
    public void SynchronisationUnderWay_HasItsStagesAndItsBacklog()
    {
        Log([.. Enumerable.Range(0, 12).Select(second => ("lag", (double)second, 1.0))]);

        var page = new PageRun(SavedRun.UnderWay(_folder), new RunUnderWay
        {
            Doing = "measuring for 12 s",
            Began = Start,
            Events = [new RunEvent(Start.AddSeconds(5), 0, RunEvent.Stage, "the data set is complete")],
        });

        page.Charts.Select(chart => chart.Title).ShouldContain("Keys and commands, per second");
        page.Charts.ShouldContain(chart => chart.Title.StartsWith("Backlog", StringComparison.Ordinal));
        page.Charts.First(chart => chart.NamesMarks).Marks.Select(mark => (mark.X, mark.Text))
            .ShouldBe([(5, "the data set is complete")]);
    }

    [Fact]
    public void Stages_AreMarkedInTheChart_AndNoEventOfTheText()
    {
        var page = Sampled(record => record["events"] = new JsonArray(new JsonObject
        {
            ["atUtc"] = "2026-11-24T11:48:38+00:00",
            ["atNs"] = 78_814_977_376_137 + 5_000_000_000,
            ["kind"] = "stage",
            ["text"] = "the data set is read",
        }));

        page.Charts.First(chart => chart.NamesMarks).Marks.Select(mark => mark.Text)
            .ShouldContain("the data set is read");
        page.Text!.ShouldNotContain("the data set is read");
    }

    [Theory]
    [InlineData("get-response", "response over time")]
    [InlineData("lag", "lag over time")]
    [InlineData("2.set-service", "service over time")]
    [InlineData("forward-intended", "forward-intended over time")]
    public void Log_WithoutARecord_IsAboutWhatItMeasured(string tag, string title)
    {
        Log([.. Enumerable.Range(0, 12).SelectMany(second => new[] { "gc-pauses", "hiccups", tag }.Select(
            one => (one, (double)second, 1.0)))]);

        var page = new PageRun(SavedRun.Open(_folder));

        page.Charts.First(chart => chart.NamesMarks).Title.ShouldBe(title);
        page.Tiles.Select(tile => tile.Name).ShouldBe(["p50", "p99", "slowest", "rate"]);
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
