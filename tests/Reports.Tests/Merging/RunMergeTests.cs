using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Merging;

public sealed class RunMergeTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();
    private readonly SampleParts _parts;

    public RunMergeTests() => _parts = new SampleParts(_scratch);

    public void Dispose() => _scratch.Dispose();

    [Fact]
    public void Merge_OfParts_EqualsOneProcessThatSawEverything()
    {
        var sample =
            from second in Gen.Choose(0, 4)
            from kind in Gen.Choose(0, 9)
            from value in Gen.Choose(0, int.MaxValue)
            from waited in Gen.Choose(0, int.MaxValue)
            select new Sample(
                second,
                kind switch { 0 => null, 1 => -1, 2 => long.MaxValue - value, 3 => value % 100, _ => value },
                waited);
        var case_ =
            from samples in Gen.ListOf(sample)
            from count in Gen.Choose(1, 5)
            from seed in Gen.Choose(0, int.MaxValue)
            select (Samples: samples.Repeated(seed), Count: count, Seed: seed);

        Prop.ForAll(case_.ToArbitrary(), one =>
        {
            var random = new Random(one.Seed);
            var shares = one.Samples.ToLookup(_ => random.Next(one.Count));
            var merged = _parts.Merge(
                Enumerable.Range(0, one.Count).Select(part => _parts.Write($"eu-{part}", [.. shares[part]])),
                out var folder);
            var whole = _parts.Record("whole", one.Samples);
            Text(merged.Summaries[0].Latencies).ShouldBe(Text(whole.Summaries[0].Latencies));
            merged.Summaries[0].Metrics.ShouldBe(whole.Summaries[0].Metrics);
            var logged = LatencyHistogram.ForLatency();
            foreach (var interval in SavedRun.Open(folder).ReadIntervals())
                logged.Add(interval.Histogram);
            var expected = SampleParts.Values(one.Samples);
            expected.SetMissing(0);
            logged.ShouldBe(expected);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(60));
    }

    [Fact]
    public void Merge_OfMoreLogsThanAreOpenAtATime_IsTheSame()
    {
        List<Sample> samples = [.. Enumerable.Range(0, 900).Select(i => new Sample(i % 3, 1_000 * (i + 1), 0))];

        var merged = _parts.Merge(
            samples.Chunk(3).Select((share, part) => _parts.Write($"eu-{part}", share)), out var folder);

        Text(merged.Summaries[0].Latencies).ShouldBe(Text(_parts.Record("whole", samples).Summaries[0].Latencies));
        merged.MergedFrom!.Count.ShouldBe(300);
        merged.Summaries[0].Rates.Achieved!.Value.ShouldBe(90, 1e-6);
        Directory.GetFiles(folder).Select(Path.GetFileName)
            .ShouldBe([ResultsFolder.IntervalLogName, ResultsFolder.RunRecordName], ignoreOrder: true);
        SavedRun.Open(folder).ReadIntervals().Select(interval => interval.Start)
            .ShouldBe(Enumerable.Range(0, 3).Select(second => SampleParts.Start.AddSeconds(second)));
    }

    [Fact]
    public void Merge_IsNoBetterThanItsWorstPart_AndNamesWhatDiffers()
    {
        Sample[] samples = [new(0, 1_000, 0)];

        var merged = _parts.Merge(
            [
                _parts.Write("eu-1", samples),
                _parts.Write("eu-2", samples, record => record with
                {
                    Verdict = new(VerdictStatus.NotValid, ["the schedule could not be kept"]),
                    ExitCode = 4,
                    Options = [new("rate", "2000", OptionSource.CommandLine)],
                    Thresholds = [new() { Expression = "rtt.p99<1us", Held = false }],
                    Events = [new(SampleParts.Start, 5, "stopped", "it stood still")],
                    Summaries = [record.Summaries[0] with { StartUtc = SampleParts.Start.AddHours(1) }],
                    Partial = true,
                    PartialReason = "stopped by SIGTERM",
                }),
            ],
            out _);

        merged.Verdict.Status.ShouldBe(VerdictStatus.NotValid);
        merged.Verdict.Reasons.ShouldContain("eu-2: the schedule could not be kept");
        merged.Verdict.Reasons.ShouldContain("eu-2: the threshold rtt.p99<1us did not hold, or could not be judged.");
        merged.Verdict.Reasons.ShouldContain("The parts differ in --rate: 1000 or 2000.");
        merged.Verdict.Reasons.ShouldContain(
            "The parts did not all measure at one time, so they have no rate together.");
        merged.Summaries[0].Rates.Achieved.ShouldBeNull();
        merged.PartialReason.ShouldBe("1 of 2 parts ended early, the first: eu-2, stopped by SIGTERM");
        merged.Events.Single().Text.ShouldBe("eu-2: it stood still");
        merged.Options.ShouldBeEmpty();
    }

    [Fact]
    public void Merge_OfAMergedRun_KnowsWhoIsInIt()
    {
        var (first, second, third) = (
            _parts.Write("eu-1", [new(0, 10, 0)]), _parts.Write("eu-2", [new(0, 20, 0)]),
            _parts.Write("eu-3", [new(0, 30, 0)]));
        _parts.Merge([first, second], out var both);

        var all = _parts.Merge([SavedRun.Open(both), third], out _);

        all.MergedFrom!.Select(part => part.Instance).ShouldBe(["eu-1", "eu-2", "eu-3"]);
        all.Summaries[0].Latencies[0].Count.ShouldBe(3);
        var merge = new Reports.Merging.RunMerge("0.1.0");
        merge.Add(SavedRun.Open(both)).ShouldBeNull();
        merge.Add(second).ShouldBe("eu-2 is in it already: this process's results would be counted twice");
    }

    [Theory]
    [InlineData(1_000, 99, true)]
    [InlineData(1_000, 50, false)]
    [InlineData(5, 99, false)]
    [InlineData(5, 50, false)]
    public void Merge_OfAPartInDoubt_MarksWhatItsSamplesCanHaveMade(int itsSamples, double percentile, bool isInDoubt)
    {
        List<Sample> samples = [.. Enumerable.Range(1, 1_000).Select(i => new Sample(0, 1_000 * i, 0))];

        var merged = _parts.Merge(
            [
                _parts.Write("eu-1", samples),
                _parts.Write("eu-2", samples[..itsSamples], record => Doubt(record, from: 99)),
            ],
            out _);

        merged.Summaries[0].Latencies[0].Percentiles.At(percentile)!.InDoubt.ShouldBe(isInDoubt);
    }

    [Fact]
    public void Merge_OfPartsThatAreAllInDoubt_IsInDoubt()
    {
        List<Sample> samples = [.. Enumerable.Repeat(new Sample(0, 1_000, 0), 1_000)];

        var merged = _parts.Merge(
            new[] { "eu-1", "eu-2" }.Select(one => _parts.Write(one, samples, record => Doubt(record, from: 50))), out _);

        merged.Summaries[0].Latencies[0].Percentiles.Where(row => row.IsKnown).ShouldAllBe(row => row.InDoubt);
    }

    [Fact]
    public void Merge_OfAPartInDoubt_BelievesNothingAboveIt_AndSaysSo()
    {
        // Without the samples of eu-2 p90 is p78, which is quick; p99 is p86, which is as slow as itself.
        Sample[] Samples(int quick, int slow) =>
        [
            .. Enumerable.Repeat(new Sample(0, 1_000, 0), quick),
            .. Enumerable.Repeat(new Sample(0, 50_000, 0), slow),
        ];

        var merged = _parts.Merge(
            [
                _parts.Write("eu-1", Samples(800, 200), record => Believe(record, 99)),
                _parts.Write("eu-2", Samples(120, 30), record => Believe(Doubt(record, from: 90), 99)),
            ],
            out _);

        var rows = merged.Summaries[0].Latencies[0].Percentiles;
        rows.Where(row => row.InDoubt).Select(row => row.Percentile).ShouldBe([90, 99]);
        merged.Verdict.UpTo.ShouldBe(50);
    }

    [Fact]
    public void Merge_BelievesNoFartherThanTheWholeCanBe_AlthoughItsPartsCould()
    {
        List<Sample> samples = [.. Enumerable.Repeat(new Sample(0, 1_000, 0), 1_000)];
        RunRecord Doubtful(RunRecord record) => record with { Verdict = new(VerdictStatus.Doubtful, []) };

        UpTo(record => Doubt(record, from: 99), record => Doubt(record, from: 99)).ShouldBe(90);
        UpTo(record => Doubt(record, from: 50), record => Doubt(record, from: 50)).ShouldBeNull();
        UpTo(record => record, record => Believe(record, 90)).ShouldBe(90);
        UpTo(record => record, Doubtful).ShouldBeNull("of one part nothing is believed");

        double? UpTo(Func<RunRecord, RunRecord> first, Func<RunRecord, RunRecord> second) => _parts.Merge(
            [
                _parts.Write("eu-1", samples, record => first(Believe(record, 99))),
                _parts.Write("eu-2", samples, record => second(Believe(record, 99))),
            ],
            out _).Verdict.UpTo;
    }

    private static RunRecord Believe(RunRecord record, double upTo) => record with
    {
        Verdict = new(VerdictStatus.Valid, []) { UpTo = upTo },
    };

    private static RunRecord Doubt(RunRecord record, double from) => record with
    {
        Summaries =
        [
            .. record.Summaries.Select(summary => summary with
            {
                Latencies =
                [
                    .. summary.Latencies.Select(series => series with
                    {
                        Percentiles =
                            [.. series.Percentiles.Select(row => row with { InDoubt = row.Percentile >= from })],
                    }),
                ],
            }),
        ],
    };

    // Without the intervals, which need the time between samples as one process has it.
    private static string Text(IReadOnlyList<LatencySeries> series) => JsonSerializer.Serialize(series.Select(one =>
        one with
        {
            Percentiles = [.. one.Percentiles.Select(row =>
                row with { Lower = null, Upper = null, UnknownInterval = null })],
        }));
}

internal static class RepeatedSamples
{
    /// <summary>Enough of the same for a percentile to be known, now and then.</summary>
    public static IReadOnlyList<Sample> Repeated(this IEnumerable<Sample> samples, int seed) =>
        [.. samples.SelectMany(sample => Enumerable.Repeat(sample, 1 + (seed % 40)))];
}
