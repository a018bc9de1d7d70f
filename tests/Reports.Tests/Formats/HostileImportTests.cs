using System.Text;
using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>Damaged and hostile files are refused in a sentence; nothing else is ever thrown.</summary>
public sealed class HostileImportTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();

    public static TheoryData<string, string> Samples => new()
    {
        { "memtier", ImportedSamples.Memtier() },
        { "memtier log", ImportedSamples.MemtierLog() },
        { "csv", ImportedSamples.BenchmarkCsv },
        { "text", ImportedSamples.Benchmark },
        { "ycsb", ImportedSamples.Ycsb },
        { "hgrm", ImportedSamples.Hgrm },
        { "redisshake", ImportedSamples.RedisShake },
        { "log", ImportedSamples.YcsbLog() },
    };

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [MemberData(nameof(Samples))]
    public void TruncatedAtEveryByte_NoNumberIsOtherThanThatOfTheWhole(string name, string sample)
    {
        name.ShouldNotBeEmpty();
        var bytes = Encoding.UTF8.GetBytes(sample);
        var whole = Measure(bytes)!;
        for (var length = 0; length < bytes.Length; length++)
        {
            foreach (var (metric, value) in Measure(bytes[..length]) ?? [])
            {
                // One of several results may be there in full.
                if (whole.TryGetValue(metric, out var known) && metric.Contains(".p", StringComparison.Ordinal))
                    value.ShouldBe(known, $"{metric} after {length} of {bytes.Length} bytes");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void Mutated_ItIsImportedOrRefused(string name, string sample)
    {
        name.ShouldNotBeEmpty();
        var bytes = Encoding.UTF8.GetBytes(sample);
        var changes = ArbMap.Default.GeneratorFor<(ushort At, byte To)[]>();
        Prop.ForAll(changes.ToArbitrary(), mutations =>
        {
            var copy = bytes.ToArray();
            foreach (var (at, to) in mutations.Take(5))
                copy[at % copy.Length] = to;
            _ = Measure(copy);
        }).QuickCheckThrowOnFailure();
    }

    [Theory]
    [InlineData("", "not a result that is known here")]
    [InlineData("{\"ALL STATS\":{\"Totals\":{\"Count\":-1}}}", "-1 is no number of anything")]
    [InlineData("{\"ALL STATS\":{\"Totals\":{\"Count\":1,\"Max Latency\":-1}}}", "-1 is no time")]
    [InlineData("{\"ALL STATS\":{\"Totals\":{}}}", "memtier_benchmark completed nothing")]
    [InlineData("{\"total_entries_count\":{}}", "a status of RedisShake without read_count")]
    [InlineData("{\"a\":", "not valid JSON")]
    [InlineData("[READ], Operations, NaN\n", "YCSB's result has no operation")]
    [InlineData("[READ], Operations, 1e99\n", "is no number of anything")]
    [InlineData("\"test\",\"rps\"\n\"SET\",\"many\"\n", "'many' where redis-benchmark has a number")]
    [InlineData("====== SET ======\n", "the result of SET is not whole")]
    [InlineData("       Value   Percentile   TotalCount 1/(1-Percentile)\n", "add --unit us, ns or ms")]
    public void AFileThatSaysNothing_IsToldInASentence(string text, string expected) =>
        Should.Throw<ImportException>(() => ImportedSamples.Import(_scratch, text)).Message.ShouldContain(expected);

    private Dictionary<string, double>? Measure(byte[] bytes)
    {
        var file = _scratch.Combine("hostile.txt");
        File.WriteAllBytes(file, bytes);
        try
        {
            var (record, folder) = ImportedSamples.ImportFile(_scratch, file, ImportUnit.Us);
            Directory.Delete(folder, recursive: true);
            return record.Metrics.ToDictionary();
        }
        catch (ImportException)
        {
            return null;
        }
    }
}
