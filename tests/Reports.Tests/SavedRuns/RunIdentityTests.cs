using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Tests.Formats;

namespace RedisLatency.Reports.Tests.SavedRuns;

/// <summary>Each run counts once: what a file of another tool holds tells it from others, not when it began.</summary>
public sealed class RunIdentityTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Fact]
    public void TwoLogs_ThatBeganAtOneTime_AreTwoRuns()
    {
        var (one, other) = (Import(ImportedSamples.MemtierLog()), Import(ImportedSamples.MemtierLog(shift: 3)));

        one.Record!.Phases[0].StartUtc.ShouldBe(other.Record!.Phases[0].StartUtc);
        one.Identities.ShouldNotBe(other.Identities);
        var merged = Merge(one, other);
        merged.Record!.Summaries[0].Latencies[0].Count.ShouldBe(200);
        merged.Identities.ShouldBe([.. one.Identities, .. other.Identities]);
    }

    [Theory]
    [InlineData("log")]
    [InlineData("csv")]
    public void OneFile_ImportedTwice_IsOneRun_AlsoBesideTheMergedOne(string form)
    {
        var text = form == "csv" ? ImportedSamples.BenchmarkCsv : ImportedSamples.YcsbLog(string.Empty);
        var (one, again) = (Import(text), Import(text, ImportUnit.Ms, "rtt"));

        again.Identities.ShouldBe(one.Identities);
        again.Folder.ShouldNotBe(one.Folder);
        var known = new KnownRuns();
        known.Add(one).ShouldBeNull();
        known.Add(again).ShouldBe($"{again.Folder}: this run, or a copy of it, is in it already");
        if (form == "csv")
            return;
        var merge = new RunMerge("0.1.0");
        merge.Add(Merge(one)).ShouldBeNull();
        merge.Add(Import(text)).ShouldNotBeNull().ShouldContain("is in it already");
    }

    private SavedRun Import(string text, ImportUnit unit = ImportUnit.Us, string series = "service") =>
        SavedRun.Open(ImportedSamples.Import(_scratch, text, unit, series).Folder);

    private SavedRun Merge(params SavedRun[] runs)
    {
        var merge = new RunMerge("0.1.0");
        foreach (var run in runs)
            merge.Add(run).ShouldBeNull();
        var (_, folder) = merge.WriteTo(_scratch.Combine("merged"), DateTimeOffset.UnixEpoch, 0);
        return SavedRun.Open(folder);
    }
}
