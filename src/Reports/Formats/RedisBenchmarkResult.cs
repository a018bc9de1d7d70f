using System.Globalization;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>What redis-benchmark, or valkey-benchmark, says of one of its tests.</summary>
internal sealed record RedisBenchmarkResult(string Name)
{
    public const double Millisecond = 1e6;

    private const string Tool = "redis-benchmark";

    // Of redis-benchmark.c: hdr_init(10, 3 s, 3 digits), and longer ones are recorded as 3 s.
    private const long StepNs = 8_000;
    private const double ClippedNs = 3e9;

    public long? Requests { get; init; }

    public double? Seconds { get; init; }

    public double? Rate { get; init; }

    public int? Clients { get; init; }

    public int Threads { get; init; } = 1;

    public GivenFigures Figures { get; init; } = new();

    public static ImportedMeasurement Measurement(
        ForeignFile file, string form, IReadOnlyList<RedisBenchmarkResult> tests, IEnumerable<string> notes)
    {
        if (tests.Count == 0)
            throw new ImportException("no result of redis-benchmark that is whole");
        var hasLatencies = tests.Any(test => test.Figures.Percentiles.Count > 0);
        var names = new Dictionary<string, int>();
        return new ImportedMeasurement
        {
            Origin = new ImportedRun
            {
                Tool = Tool,
                File = file.Name,
                Form = form,
                ResolutionNs = hasLatencies ? StepNs : null,
            },
            Summaries = [.. tests.Select(test => test.Summary(UniqueName(test), tests.Count > 1))],
            Notes =
            [
                "redis-benchmark times a whole pipeline, and calls all that took longer than 3 s 3 s.", .. notes,
            ],
        };

        string UniqueName(RedisBenchmarkResult test)
        {
            var plain = ImportedPhase.Plain(test.Name);
            var turn = names[plain] = names.GetValueOrDefault(plain) + 1;
            return turn == 1 ? plain : string.Create(CultureInfo.InvariantCulture, $"{plain}-{turn}");
        }
    }

    private RunSummary Summary(string plain, bool isOneOfMany)
    {
        var phase = new ImportedPhase(Name)
        {
            Mark = isOneOfMany ? plain : string.Empty,
            DurationNs = Seconds is { } seconds ? (long)GivenFigures.Nanoseconds(seconds, 1e9) : null,
            Achieved = Rate,
            Engine = Clients is { } clients
                ? new EngineFacts
                {
                    Loop = Tool,
                    Threads = Threads,
                    ConnectionsPerThread = clients / Math.Max(1, Threads),
                }
                : null,
        };
        if (Requests is { } requests)
        {
            phase.Add(new OperationResult { Name = plain, Command = Name }, (Counted.Completed, requests));
        }

        if (Figures.Percentiles.Count > 0)
        {
            var figures = Figures with { Count = Requests, ClippedNs = ClippedNs };
            phase.Add(figures.ToSeries(Measured.Service));
            phase.Add(figures.ToSeries(Measured.OfOperation(plain, Measured.Service)));
        }

        return phase.Create();
    }
}
