using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;

namespace RedisLatency.Integration.Workloads;

/// <summary>A run of several processes, watched from outside while it goes on.</summary>
public sealed class WatchTests : FleetTest
{
    private const string Series = "response";
    private const string Tag = "set-response";
    private const int Width = 80;

    [Fact]
    public async Task Watch_PrintsTheSumOfAllMembers_SecondBySecond_AndEndsWithTheRun()
    {
        var watch = Watch();
        await watch.Errors.WaitFor("Waiting for a run night at ");
        var members = Measure(3, "6s");

        await SavedRun.EndValidUnlessLate(members);
        (await watch.End()).ShouldBe(0, watch.ToString());

        var lines = WatchedLine.Of(watch);
        lines.ShouldAllBe(line => line.Role == "load" && line.Series == Series);
        lines.Count(line => line.Members == "3/3").ShouldBeGreaterThanOrEqualTo(5, watch.ToString());
        var sum = LatencyHistogram.ForLatency();
        foreach (var member in members)
            sum.Add(SavedRun.Of(member).Merged(Tag));
        lines.Sum(line => line.Count).ShouldBe(sum.TotalCount, watch.ToString());
        lines.Select(line => line.Max).ShouldContain(Quantity.Duration(sum.Max));
        watch.Output.Lines.ShouldContain(
            "3 of 3 members have begun: load 0 (host-0), load 1 (host-1), load 2 (host-2).");
        watch.Output.Lines[^1].ShouldBe("Run night has ended.");
        watch.Output.Lines.ShouldAllBe(line => line.Length <= Width);
    }

    [Fact]
    public async Task AMemberThatIsLate_IsKilled_OrIsStopped_IsNamed()
    {
        var members = Measure(3, "10m");
        var watch = Watch();
        await ShowsLinesOf(watch, "3/3");
        ShouldLeaveOutWhatNoMemberSends();

        members[2].Signal("STOP");
        await watch.Output.WaitFor("load 2 (host-2) is late");
        members[2].Signal("CONT");
        await watch.Output.WaitFor("load 2 (host-2) sends again.");
        (await members[1].EndBy("KILL")).ShouldBe(137);
        await watch.Output.WaitFor("load 1 (host-1) is dead: its lease ran out.");
        await ShowsLinesOf(watch, "2/3");
        (await members[0].EndBy("INT")).ShouldBe(130, members[0].ToString());
        await watch.Output.WaitFor("load 0 (host-0) was stopped by a signal.");
        (await members[2].EndBy("TERM")).ShouldBe(143, members[2].ToString());

        (await watch.End()).ShouldBe(0, watch.ToString());
        // Of one that is killed what it logged last may not have been sent.
        var counts = members.Select(member => new SavedRun(SavedRun.FoldersOf(member).Single()).Merged(Tag).TotalCount)
            .ToList();
        WatchedLine.Of(watch).Sum(line => line.Count).ShouldBeInRange(counts[0] + counts[2], counts.Sum());
    }

    // Whoever may write to the control Redis: a second of it would be shown with the next ones.
    private void ShouldLeaveOutWhatNoMemberSends()
    {
        var key = KeysOfControl().Single(key => key.EndsWith(":intervals", StringComparison.Ordinal));
        (string Member, string At)[] wrong = [("99", "1"), ("x", "1"), ("0", "9223372036854775807"), ("", "")];
        foreach (var (member, at) in wrong)
            AskControl("XADD", key, "*", "member", member, "at", at, "lines", "x").ShouldNotBeEmpty();
    }

    [Fact]
    public async Task AControlRedisThatGoesAwayInTheMiddle_CostsTheWatchingAlone()
    {
        const string NotAll = "Who watches the run misses some of what is measured here";
        var members = Measure(2, "20s");
        var watch = Watch();
        await ShowsLinesOf(watch, "2/2");

        await Control.Kill();
        await watch.Errors.WaitFor("The control Redis is asked again");
        foreach (var member in members)
            await member.Errors.WaitFor(NotAll);
        await Control.Restart();
        var before = WatchedLine.Of(watch).Count;
        await SavedRun.EndValidUnlessLate(members);
        (await watch.End()).ShouldBe(0, watch.ToString());

        WatchedLine.Of(watch).Count.ShouldBeGreaterThan(before, watch.ToString());
        foreach (var member in members)
        {
            member.Errors.Lines.Count(line => line.Contains(NotAll, StringComparison.Ordinal)).ShouldBe(1);
            var run = SavedRun.Of(member);
            run.Merged(Tag).TotalCount.ShouldBe(run.Count(Counted.Completed).ShouldNotBeNull());
            run.Record.Verdict.Reasons.ShouldNotContain(
                reason => reason.Contains("dead", StringComparison.Ordinal), member.ToString());
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("localhost")]
    public async Task WhereTheyMeetAtWhatTheyMeasure_NothingIsStreamed_AndWhoIsThereIsShown(string? name)
    {
        string[] control = name is null ? [] : ["--control", $"{name}:{Text(Server.Port)}"];
        var members = Enumerable.Range(0, 2).Select(index => Start(
            "run",
            [
                "--run", RunName, "--expect", "2", "--member", Text(index), "--instance", $"host-{index}", .. control,
                .. OptionsFor("3s"),
            ]))
            .ToList();
        var watch = WatchedLine.Start(Server.Uri, RunName);
        Keep(watch);

        await watch.Output.WaitFor("2 of 2 members have begun: load 0 (host-0), load 1 (host-1).");
        await watch.Output.WaitFor("Nothing is streamed while it is measured");
        await SavedRun.EndValidUnlessLate(members);

        (await watch.End()).ShouldBe(0, watch.ToString());
        WatchedLine.Of(watch).ShouldBeEmpty();
        Ask("EVAL", "return #redis.call('KEYS', '*:intervals')", "0").ShouldBe("0");
    }

    [Fact]
    public async Task AWatchThatWaits_EndsByASignal()
    {
        var watch = Watch();
        await watch.Errors.WaitFor("Waiting for a run night");

        (await watch.EndBy("INT")).ShouldBe(130, watch.ToString());
        watch.Output.Lines.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(2, "both are needed", "--run", "night")]
    [InlineData(2, "both are needed", "--control", "127.0.0.1:1")]
    [InlineData(2, "are allowed", "--control", "127.0.0.1:1", "--run", "a:b")]
    [InlineData(2, "no such file", "--control", "127.0.0.1:1", "--run", "night", "--control-password-file", "/x")]
    [InlineData(3, "127.0.0.1:1", "--control", "127.0.0.1:1", "--run", "night")]
    public async Task WhatCannotBeWatched_IsSaid(int exitCode, string reason, params string[] arguments)
    {
        await using var watch = ServiceProcess.Start("Tool", ["watch", .. arguments]);

        await End(exitCode, watch);

        watch.Errors.ToString().ShouldContain(reason);
    }

    private static string[] OptionsFor(string duration) =>
        ["--mix", "set=1", "--records", "1000", "--warmup", "0s", "--duration", duration, "--rate", "300"];

    private List<ServiceProcess> Measure(int count, string duration) =>
        [.. Enumerable.Range(0, count).Select(index => StartMember(index, count, "run", OptionsFor(duration)))];

    private ServiceProcess Watch()
    {
        var watch = WatchedLine.Start(Control.Uri, RunName);
        Keep(watch);
        return watch;
    }

    private static Task ShowsLinesOf(ServiceProcess watch, string members) => Eventually.Is(
        $"it shows {members}", () => WatchedLine.Of(watch).Any(line => line.Members == members));
}
