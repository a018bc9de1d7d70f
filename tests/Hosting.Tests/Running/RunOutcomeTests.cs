using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Tests.Running;

public sealed class RunOutcomeTests
{
    [Theory]
    [InlineData("", false, VerdictStatus.Valid, 0)]
    [InlineData("doubt", false, VerdictStatus.Doubtful, 0)]
    [InlineData("doubt", true, VerdictStatus.Doubtful, 4)]
    [InlineData("fault doubt", false, VerdictStatus.NotValid, 4)]
    [InlineData("missed", false, VerdictStatus.Valid, 99)]
    [InlineData("missed doubt", false, VerdictStatus.Doubtful, 99)]
    [InlineData("missed doubt", true, VerdictStatus.Doubtful, 4)]
    [InlineData("unknown", false, VerdictStatus.NotValid, 4)]
    [InlineData("unknown missed", false, VerdictStatus.NotValid, 4)]
    public void Of_WhatWasFound_IsOneOfThreeVerdicts(string found, bool isStrict, VerdictStatus status, int exitCode)
    {
        using var stop = new StopSignal();
        var outcome = Of(Context(stop), found, isStrict);

        outcome.Verdict.Status.ShouldBe(status);
        outcome.ExitCode.ShouldBe(exitCode);
    }

    private static RunContext Context(IStopToken stop) =>
        new(stop, TimeProvider.System, NullLogger.Instance, new StandardOutput(), new Diagnostics());

    private static RunOutcome Of(RunContext context, string found, bool isStrict)
    {
        var words = found.Split(' ');
        List<ThresholdResult> thresholds = [new() { Expression = "lost==0", Held = true }];
        if (words.Contains("missed"))
            thresholds.Add(new() { Expression = "rtt.p50<1ns", Held = false });
        if (words.Contains("unknown"))
            thresholds.Add(new() { Expression = "rtt.p99<1h", Held = null });
        return RunOutcome.Of(
            context, words.Where(word => word == "fault"), words.Where(word => word == "doubt"), [], thresholds, isStrict);
    }
}
