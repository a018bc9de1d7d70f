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
        merged.Summaries[0].Rates.Achieved.ShouldBe(300 * 990);
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
                    Phases = [new("measure", SampleParts.Start.AddHours(1), 7, 1_000_000_000)],
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
