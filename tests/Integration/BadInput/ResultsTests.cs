using RedisLatency.Fixtures;

namespace RedisLatency.Integration.BadInput;

/// <summary>What was measured is told even where it cannot be kept, and kept even where nobody reads it.</summary>
public sealed class ResultsTests
{
    private const string Short = "--rate 0 --iterations 200 --warmup 0";

    [Fact]
    public async Task Results_WhereAFileStandsInTheWay_StillPrintAndEndWith6()
    {
        var outcome = await Outcome.OfShell($"touch taken; exec \"$PROGRAM\" producer {Short} --out taken");

        outcome.ShouldReport(6, "returned=200", "FILES\n  not written");
        outcome.ShouldSay(6, "Results are not saved: ", "taken", "choose another folder with --out");
    }

    [Fact]
    public async Task Results_OnAFullDisk_StillPrintAndEndWith6()
    {
        // A mount of its own, so that nothing is left behind; as a user in a namespace where they are root.
        const string Mount = "mkdir full && mount -t tmpfs -o size=8k none full";
        var probe = await Outcome.OfShell($"U='unshare -m'; [ $(id -u) = 0 ] || U='unshare -rm'; $U sh -c '{Mount}'");
        Assert.SkipWhen(probe.ExitCode != 0, $"no file system can be mounted here: {probe.Errors}");

        var outcome = await Outcome.OfShell(
            "U='unshare -m'; [ $(id -u) = 0 ] || U='unshare -rm'; "
            + $"exec $U sh -c '{Mount} && exec \"$PROGRAM\" producer {Short} --out full'");

        outcome.ShouldReport(6, "returned=200", "FILES\n  not written");
        outcome.ShouldSay(6, "Results are not saved: ", "no space left for results; free some");
    }

    [Theory]
    [InlineData("cat /dev/zero > full/rest", "no space left for results; free some")]
    [InlineData("rm -r full/*", "results cannot be written here (No such file or directory)")]
    public async Task Results_ThatCannotBeWrittenAnyMore_AreToldWhileTheRunMeasures(string mishap, string reason)
    {
        const string Mount = "mkdir full && mount -t tmpfs -o size=1m none full";
        var probe = await Outcome.OfShell($"U='unshare -m'; [ $(id -u) = 0 ] || U='unshare -rm'; $U sh -c '{Mount}'");
        Assert.SkipWhen(probe.ExitCode != 0, $"no file system can be mounted here: {probe.Errors}");
        await using var producer = ServiceProcess.StartShell(
            "U='unshare -m'; [ $(id -u) = 0 ] || U='unshare -rm'; "
            + $"exec $U sh -c '{Mount} && {{ (until grep -q ^Tag full/*/latency.hlog.partial; do sleep 0.1; done; "
            + $"{mishap}) 2>/dev/null & exec \"$PROGRAM\" producer --rate 1000 --warmup 0 --duration 10m --out full; }}'");

        var told = await producer.Errors.WaitFor("Results are not saved: ");
        var exitCode = await producer.EndBy("INT");

        told.ShouldContain(reason);
        new Outcome(exitCode, producer.Output.ToString(), producer.Errors.ToString())
            .ShouldReport(6, "FILES\n  not written");
        producer.Errors.Lines.Count(line => line.Contains("not saved", StringComparison.Ordinal)).ShouldBe(1);
    }

    [Fact]
    public async Task Results_BeyondTheLimitOfFileSizes_StillPrintAndEndWith6()
    {
        // W^X maps memory by way of a file that is larger than the limit.
        var outcome = await Outcome.OfShell(
            "export DOTNET_EnableWriteXorExecute=0; trap '' XFSZ; ulimit -f 1; "
            + $"exec \"$PROGRAM\" producer {Short} --out results");

        outcome.ShouldReport(6, "returned=200", "FILES\n  not written");
        outcome.ShouldSay(6, "Results are not saved: ", "results cannot be written here");
    }

    [Theory]
    [InlineData("text", "head -n 1", 0)]
    [InlineData("text --redis in-process --threshold 'rtt.min<1ns'", "head -n 1", 99)]
    [InlineData("json", "true", 6)]
    [InlineData("csv", "true", 6)]
    [InlineData("json --redis in-process --threshold 'rtt.min<1ns'", "true", 6)]
    public async Task StandardOutput_ClosedEarly_KeepsTheResults(string format, string reader, int exitCode)
    {
        // The run ends long after the reader has.
        var outcome = await Outcome.OfShell(
            $"{{ \"$PROGRAM\" producer {Short.Replace("200", "2000", StringComparison.Ordinal)} "
            + $"--format {format}; "
            + $"echo \"ended with $?\" >&2; }} | {reader}; ls results/*/run.json >&2");

        outcome.Errors.ShouldContain($"ended with {exitCode}\n", Case.Sensitive, outcome.ToString());
        outcome.Errors.ShouldContain("/run.json", Case.Sensitive, outcome.ToString());
    }

    [Theory]
    [InlineData("text")]
    [InlineData("json")]
    [InlineData("csv")]
    public async Task StandardOutput_OnAFullDisk_KeepsTheResultsAndEndsWith6(string format)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "there is no /dev/full here");

        var outcome = await Outcome.OfShell(
            $"\"$PROGRAM\" producer {Short} --format {format} >/dev/full; echo \"ended with $?\" >&2; "
            + "ls results/*/run.json >&2");

        outcome.Errors.ShouldContain("ended with 6\n", Case.Sensitive, outcome.ToString());
        outcome.Errors.ShouldContain("Standard output: No space left", Case.Sensitive, outcome.ToString());
        outcome.Errors.ShouldContain("The results are in ", Case.Sensitive, outcome.ToString());
        outcome.Errors.ShouldContain("/run.json", Case.Sensitive, outcome.ToString());
    }
}
