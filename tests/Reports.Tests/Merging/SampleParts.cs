using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>A message: the second in which it was measured, and its round trip; none where it was lost.</summary>
internal readonly record struct Sample(int Second, long? RoundTripNs, long WaitedNs);

/// <summary>Results folders as Producers leave them.</summary>
internal sealed class SampleParts(ScratchFolder scratch)
{
    public static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeMilliseconds(1_795_252_123_614);

    private static readonly MachineFacts Machine = MachineFacts.Read();

    private long _starts;

    public string Root { get; } = Directory.CreateDirectory(scratch.Combine("parts")).FullName;

    /// <summary>Writes the folder of a Producer that saw these messages.</summary>
    public SavedRun Write(
        string instance, IReadOnlyList<Sample> samples, Func<RunRecord, RunRecord>? change = null, string tag = "rtt")
    {
        var folder = ResultsFolder.Create(Root, Start, "night", instance);
        using (var file = folder.CreateFile(ResultsFolder.IntervalLogName))
        {
            WriteLog(new IntervalLogWriter(file, Start, "test"), tag, samples);
            file.Complete();
        }

        var record = Record(instance, samples);
        RunRecordWriter.Write(folder, change?.Invoke(record) ?? record, []);
        return SavedRun.Open(folder.Path);
    }

    public RunRecord Merge(IEnumerable<SavedRun> parts, out string folder)
    {
        var merge = new RunMerge("0.1.0");
        foreach (var part in parts)
            merge.Add(part).ShouldBeNull();
        var results = ResultsFolder.Create(scratch.Combine("merged"), Start, "night", "merged");
        var record = merge.MergeInto(results);
        RunRecordWriter.Write(results, record, []);
        folder = results.Path;
        return RunRecordReader.Read(folder);
    }

    public static LatencyHistogram Values(IReadOnlyList<Sample> samples)
    {
        var values = LatencyHistogram.ForLatency();
        foreach (var sample in samples)
        {
            if (sample.RoundTripNs is { } known)
                values.Record(known);
        }

        values.SetMissing(
            samples.Count(sample => sample.RoundTripNs is null),
            samples.Where(sample => sample.RoundTripNs is null).Select(sample => sample.WaitedNs)
                .DefaultIfEmpty().Max());
        return values;
    }

    public RunRecord Record(string instance, IReadOnlyList<Sample> samples) => new()
    {
        SchemaVersion = RunRecord.CurrentSchemaVersion,
        SuiteVersion = "0.1.0",
        Run = "night",
        Role = "producer",
        Region = "eu-west",
        Instance = instance,
        Environment = Machine,
        Options = [new("rate", "1000", OptionSource.CommandLine), new("instance", instance, OptionSource.CommandLine)],
        Targets = [new() { Name = "a", Endpoint = "redis://a:1", Driver = "raw", DriverVersion = "1" }],
        Phases = [new("measure", Start, ++_starts, 10_000_000_000)],
        Summaries =
        [
            new()
            {
                Name = "a",
                Peers = ["us-1"],
                StartUtc = Start,
                DurationNs = 10_000_000_000,
                Metrics =
                [
                    RecordedMetric.Of(Counted.Asked, samples.Count),
                    RecordedMetric.Of(Counted.Sent, samples.Count),
                    RecordedMetric.Of(Counted.Returned, samples.Count(sample => sample.RoundTripNs is not null)),
                    RecordedMetric.Of(Counted.Lost, samples.Count(sample => sample.RoundTripNs is null)),
                ],
                Rates = new() { Asked = samples.Count / 10.0, Achieved = samples.Count / 10.0 },
                Latencies = [LatencySeries.Of("rtt", PercentileTable.Of(Values(samples)))],
            },
        ],
        Verdict = new(VerdictStatus.Valid, []),
        ExitCode = 0,
    };

    private static void WriteLog(IntervalLogWriter log, string tag, IReadOnlyList<Sample> samples)
    {
        foreach (var second in samples.GroupBy(sample => sample.Second).OrderBy(second => second.Key))
        {
            var values = Values([.. second.Where(sample => sample.RoundTripNs is not null)]);
            log.Write(tag, Start + TimeSpan.FromSeconds(second.Key), TimeSpan.FromSeconds(1), values);
        }
    }
}
