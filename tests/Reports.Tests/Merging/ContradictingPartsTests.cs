using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>What contradicts itself is not believed: a log whose values are not those of its lines, or of its record.</summary>
public sealed class ContradictingPartsTests : IDisposable
{
    private static readonly Sample[] Samples =
        [.. Enumerable.Range(0, 2_000).Select(i => new Sample(i % 4, 1_000_000 + (1_000 * i), 0))];

    private readonly ScratchFolder _scratch = new();
    private readonly SampleParts _parts;

    public ContradictingPartsTests() => _parts = new SampleParts(_scratch);

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [InlineData(0.5)]
    [InlineData(1.01)]
    [InlineData(4)]
    public void ValuesThatMoved_AreNotThoseOfTheirLine(double times)
    {
        var moved = _parts.Write("eu-2", Samples);
        Rewrite(moved, (values, max) => (Moved(values, times), max));

        Reading(moved).ShouldMatch(
            @"/latency\.hlog: Line 6 of the interval log: Interval_Max is 2\.\d+, and the histogram's largest value "
            + @"\d+\.\d+: it is damaged\.$");
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(1.01)]
    [InlineData(4)]
    public void ValuesThatMovedWithTheirLines_AreNotThoseOfTheRecord(double times)
    {
        var moved = _parts.Write("eu-2", Samples);
        Rewrite(moved, (values, _) => (Moved(values, times), null));

        Adding(moved).ShouldNotBeNull().ShouldMatch(
            "^the maximum of rtt is .* in the interval log, .* in the record: one of them is damaged, or of another run$");
    }

    [Fact]
    public void ValuesBelowTheMaximumThatMoved_AreNotThoseOfTheRecord()
    {
        var moved = _parts.Write("eu-2", Samples);
        Rewrite(moved, (values, _) =>
        {
            var changed = LatencyHistogram.ForLatency();
            changed.Record(1_000_000, values.TotalCount - 1);
            changed.Record(values.Max);
            return (changed, null);
        });

        Adding(moved).ShouldNotBeNull().ShouldStartWith("the p50 of rtt is 1.000 ms in the interval log, 2.0");
    }

    [Fact]
    public void ARecordThatWasChanged_IsNotThatOfItsLog()
    {
        var changed = _parts.Write("eu-2", Samples, record => record with
        {
            Summaries =
            [
                record.Summaries[0] with
                {
                    Latencies =
                    [
                        .. record.Summaries[0].Latencies.Select(series => series with
                        {
                            // A histogram's, but of another one.
                            Percentiles =
                            [
                                .. series.Percentiles.Select(row => row.Percentile > 50 ? row
                                    : row with { Value = series.Min, Lower = series.Min, Upper = series.Min }),
                            ],
                        }),
                    ],
                },
            ],
        });

        Adding(changed).ShouldNotBeNull().ShouldStartWith("the p50 of rtt is 2.0");
    }

    [Fact]
    public void ValuesOfEitherSign_AreHeldAgainstTheRecordToo()
    {
        var part = _parts.Write("eu-2", Samples, record => record with
        {
            Summaries =
            [
                record.Summaries[0] with
                {
                    OneWay =
                    [
                        Records.SampleRunRecord.Create().Summaries[0].OneWay[0] with
                        {
                            Series = [OneWaySeries.Of("forward", new(SampleParts.Values(Samples), Negatives(1)), 5)],
                        },
                    ],
                },
            ],
        });
        Write(part, ("rtt", SampleParts.Values(Samples)), ("forward", SampleParts.Values(Samples)),
            ("forward-negative", Negatives(1)));
        Adding(part).ShouldBeNull();
        Write(part, ("rtt", SampleParts.Values(Samples)), ("forward", SampleParts.Values(Samples)),
            ("forward-negative", Negatives(2_000)));
        Adding(part).ShouldBeNull("no percentile lies among ten negative values");
        Write(part, ("rtt", SampleParts.Values(Samples)), ("forward", Moved(SampleParts.Values(Samples), 2)),
            ("forward-negative", Negatives(1)));
        Adding(part).ShouldNotBeNull().ShouldStartWith("the maximum of forward is ");
    }

    [Fact]
    public void ARealRun_DoesNotContradictItself() => new RunMerge("0.1.0").Add(SavedRun.Open(
        Fixtures.RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs", "load"))).ShouldBeNull();

    private static LatencyHistogram Negatives(long value)
    {
        var values = LatencyHistogram.ForLatency();
        values.Record(value, 10);
        return values;
    }

    private static LatencyHistogram Moved(LatencyHistogram values, double times)
    {
        var moved = LatencyHistogram.ForLatency();
        foreach (var value in values.RecordedValues)
            moved.Record((long)(value.Highest * times), value.Count);
        return moved;
    }

    // Null where nothing is said against it.
    private string? Adding(SavedRun run)
    {
        var merge = new RunMerge("0.1.0");
        merge.Add(_parts.Write("eu-1", Samples)).ShouldBeNull();
        return run.Record!.Summaries[0].OneWay.Count > 0 ? new RunMerge("0.1.0").Add(run) : merge.Add(run);
    }

    private static string Reading(SavedRun run) =>
        Should.Throw<SavedRunException>(() => run.ReadIntervals().Count()).Message;

    private static void Write(SavedRun run, params (string Tag, LatencyHistogram Values)[] series)
    {
        using var file = File.Create(Path.Combine(run.Folder, ResultsFolder.IntervalLogName));
        var log = new IntervalLogWriter(file, SampleParts.Start, "test");
        foreach (var (tag, values) in series)
            log.Write(tag, SampleParts.Start, TimeSpan.FromSeconds(1), values);
    }

    // Each line with other values; with its own maximum, or with that of the values where it is null.
    private static void Rewrite(
        SavedRun run, Func<LatencyHistogram, string, (LatencyHistogram Values, string? Max)> change)
    {
        var encoder = new HistogramEncoder();
        var lines = File.ReadAllLines(run.LogFile!).Select(line =>
        {
            if (!line.StartsWith("Tag=", StringComparison.Ordinal))
                return line;
            var fields = line.Split(',');
            var values = HistogramDecoder.DecodeBase64(System.Text.Encoding.ASCII.GetBytes(fields[4]));
            var (changed, max) = change(values, fields[3]);
            fields[3] = max ?? (changed.Max / 1e6).ToString("F3", CultureInfo.InvariantCulture);
            fields[4] = Convert.ToBase64String(encoder.EncodeCompressed(changed));
            return string.Join(',', fields);
        }).ToList();
        File.WriteAllText(run.LogFile!, string.Join('\n', lines) + "\n");
    }
}
