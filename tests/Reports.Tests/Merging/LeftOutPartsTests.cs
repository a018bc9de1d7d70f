using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>What is no part of a run is left out whole, and the reason says why.</summary>
public sealed class LeftOutPartsTests : IDisposable
{
    private static readonly Sample[] Samples =
        [.. Enumerable.Range(0, 40).Select(i => new Sample(i % 4, 1_000 * i, 0))];

    private readonly ScratchFolder _scratch = new();
    private readonly SampleParts _parts;

    public LeftOutPartsTests() => _parts = new SampleParts(_scratch);

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [InlineData("role", "it is of a consumer, not a producer; --role names the one that is meant")]
    [InlineData("run", "it is of the run day, not night; --run names the one that is meant")]
    [InlineData("unit", "it has no series rtt in ns, as the first part has")]
    [InlineData("more", "it has series rtt-intended in ns, which the first part has not")]
    [InlineData("nothing", "nothing was measured")]
    [InlineData("delay", "delays of several runs are put together by report matrix")]
    public void WhatIsOfSomethingElse_IsLeftOut(string what, string reason)
    {
        var other = _parts.Write("eu-2", Samples, record => what switch
        {
            "role" => record with { Role = "consumer" },
            "run" => record with { Run = "day" },
            "nothing" => record with { Summaries = [] },
            "unit" => With(record, summary => summary with
            {
                Latencies = [summary.Latencies[0] with { Unit = "bytes" }],
            }),
            "more" => With(record, summary => summary with
            {
                Latencies = [summary.Latencies[0], summary.Latencies[0] with { Name = "rtt-intended" }],
            }),
            _ => With(record, summary => summary with { Delay = Records.SampleRunRecord.Create().Summaries[0].Delay }),
        });

        Add(_parts.Write("eu-1", Samples), other).ShouldBe(reason);
    }

    [Fact]
    public void ATruncatedOrTornLog_AtAnyByte_IsLeftOut()
    {
        var whole = _parts.Write("eu-1", Samples);
        var cut = _parts.Write("eu-2", Samples);
        var log = File.ReadAllBytes(cut.LogFile!);
        var lines = 0;
        var merge = new RunMerge("0.1.0");
        merge.Add(whole).ShouldBeNull();
        // Without the last line feed alone everything is there.
        for (var length = 0; length < log.Length - 1; length++)
        {
            File.WriteAllBytes(cut.LogFile!, log[..length]);
            var reason = merge.Add(SavedRun.Open(cut.Folder));
            reason.ShouldNotBeNull($"{length} of {log.Length} bytes");
            lines += reason.Contains("truncated, or of another run", StringComparison.Ordinal) ? 1 : 0;
        }

        lines.ShouldBeGreaterThan(0);
        merge.Parts.ShouldBe(1);
        File.Delete(cut.LogFile!);
        Add(whole, SavedRun.Open(cut.Folder))
            .ShouldBe("there is no interval log, and percentiles alone cannot be added");
    }

    [Fact]
    public void ADamagedLineOfALog_IsNamed()
    {
        var damaged = _parts.Write("eu-2", Samples);
        File.AppendAllText(damaged.LogFile!, "Tag=rtt,1,1,1,HISTnothing\n");

        Should.Throw<SavedRunException>(() => Add(_parts.Write("eu-1", Samples), SavedRun.Open(damaged.Folder)))
            .Message.ShouldContain("Line 10 of the interval log");
    }

    [Fact]
    public void AProcess_CountsOnce_WhateverItsFolderIsCalled()
    {
        var first = _parts.Write("eu-1", Samples);
        var copy = _scratch.Combine("copy");
        Directory.CreateDirectory(copy);
        foreach (var file in Directory.GetFiles(first.Folder))
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));

        Add(first, SavedRun.Open(copy))
            .ShouldBe("eu-1 is in it already: this process's results would be counted twice");
        // Another process of the same name began at another time.
        Add(first, _parts.Write("eu-1", Samples)).ShouldBeNull();
    }

    [Fact]
    public void WhatWasKilled_IsLeftOut_BecauseWhatItLostIsNotKnown()
    {
        var killed = _parts.Write("eu-2", Samples);
        File.Delete(Path.Combine(killed.Folder, ResultsFolder.RunRecordName));

        Add(_parts.Write("eu-1", Samples), SavedRun.Open(killed.Folder))
            .ShouldBe("the run was killed, or is still under way: what it lost is not known");
    }

    private static RunRecord With(RunRecord record, Func<RunSummary, RunSummary> change) =>
        record with { Summaries = [change(record.Summaries[0])] };

    // What the second is left out for; then the first alone makes the run.
    private string? Add(SavedRun first, SavedRun second)
    {
        var merge = new RunMerge("0.1.0");
        merge.Add(first).ShouldBeNull();
        var reason = merge.Add(second);
        if (reason is not null)
        {
            var folder = ResultsFolder.Create(_scratch.Combine("left"), SampleParts.Start, "night", "merged");
            merge.MergeInto(folder).Summaries[0].Latencies[0].Count.ShouldBe(Samples.Length);
            Directory.Delete(folder.Path, recursive: true);
        }

        return reason;
    }
}
