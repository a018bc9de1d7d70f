using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Workloads;

/// <summary>Several processes load together, and one run comes of it.</summary>
public sealed class FleetTests : FleetTest
{
    private const int Members = 4;

    private static readonly TimeSpan Together = TimeSpan.FromMilliseconds(5);

    [Theory]
    [InlineData(100_000)]
    [InlineData(1_000_000, Explicit = true)]
    public async Task Load_OfFourMembers_WritesEachKeyOnce_StartsTogether_AndMergesToTheSum(int records)
    {
        List<ServiceProcess> members = [];
        foreach (var index in (int[])[2, 0, 3, 1])
        {
            members.Add(StartMember(index, Members, "load", "--records", Text(records), "--connections", "10"));
            await members[^1].Errors.WaitFor($"This is load {index} of 4");
        }

        await End(0, members);

        CallsOf("set").ShouldBe(records);
        var runs = members.Select(SavedRun.Of).OrderBy(run => run.Record.Instance, StringComparer.Ordinal).ToList();
        runs.ShouldAllBe(run => run.Count(Counted.Completed) == records / Members);
        runs.Select(run => run.Summary.Workload!.Engine!.ConnectionsPerThread).ShouldBe([3, 3, 2, 2]);
        var starts = runs.Select(run => run.Summary.StartUtc.ShouldNotBeNull()).ToList();
        (starts.Max() - starts.Min()).ShouldBeLessThan(Together);

        var read = await Run(
            0, "run", "--mix", "get=1", "--keys", "partitioned", "--records", Text(records), "--operations",
            Text(records), "--warmup", "0s");
        read.Summary.Count(Counted.Misses, "get").ShouldBe(0);

        await using var merge = Merge();
        (await merge.End()).ShouldBe(0, merge.ToString());
        var merged = SavedRun.Of(merge);
        merged.Record.MergedFrom.ShouldNotBeNull().Count.ShouldBe(Members);
        var sum = runs[0].Merged("insert-service");
        foreach (var other in runs.Skip(1))
            sum.Add(other.Merged("insert-service"));
        sum.TotalCount.ShouldBe(records);
        merged.Merged("insert-service").ShouldBe(sum);
        var left = KeysOfControl();
        left.ShouldAllBe(key => key.StartsWith("redislatency:{night}:", StringComparison.Ordinal));
        left.ShouldAllBe(key => AskControl("TTL", key) != "-1");
        left.ShouldNotContain("redislatency:{night}:session");
    }

    [Fact]
    public async Task Members_WithoutIndexes_AreHandedThemOut()
    {
        var members = Enumerable.Range(0, 3).Select(number => Start(
            "load", "--run", RunName, "--expect", "3", "--control", Control.Uri, "--instance", $"any-{number}",
            "--records", "3000", "--connections", "3")).ToList();

        await End(0, members);

        CallsOf("set").ShouldBe(3_000);
        Ask("DBSIZE").ShouldBe("3001", "the records, and the note of them");
    }

    [Fact]
    public async Task AMissingMember_IsNamed_AndALateOneNamesTheOthers()
    {
        string[] patience = ["--records", "3000", "--peer-timeout", "3s"];
        var first = StartMember(0, 3, "load", "--records", "3000");
        await Eventually.Is("it waits", () => KeysOfControl().Any(key =>
            key.EndsWith(":states", StringComparison.Ordinal)
            && AskControl("HGET", key, "0").Contains("\"Barrier\":0", StringComparison.Ordinal)));
        var second = StartMember(1, 3, "load", patience);

        await End(3, second);

        second.Errors.ToString().ShouldContain("load 2 of 3 is missing (there: load 0 host-0, load 1 host-1");
        (await first.EndBy("INT")).ShouldBe(130, first.ToString());
        var late = StartMember(2, 3, "load", patience);
        await End(3, late);
        late.Errors.ToString().ShouldContain("load 0, 1 of 3 is missing (there: load 2 host-2");
        CallsOf("set").ShouldBe(0);
    }

    [Fact]
    public async Task ASecondMemberOfOneIndex_IsRefused_AndTheFirstOnesGoOn()
    {
        var first = StartMember(0, 2, "load", "--records", "3000");
        await first.Errors.WaitFor("This is load 0 of 2");
        var twin = Start("load", [.. MemberOptions(0, 2, "twin"), "--records", "3000"]);

        await End(3, twin);

        twin.Errors.ToString().ShouldContain("--member 0: host-0 is load 0 of run night already");
        await End(0, first, StartMember(1, 2, "load", "--records", "3000"));
        CallsOf("set").ShouldBe(3_000);
    }

    [Theory]
    [InlineData("9.9.9", 2, "cannot measure with version 9.9.9 on elsewhere")]
    [InlineData(null, 3, "--expect: host-0 expects load=2, and elsewhere load=3")]
    public async Task AMemberOfAnotherKind_IsRefused_AndTheOthersAreTold(string? version, int count, string reason)
    {
        version ??= (await Run(0, "load", "--records", "1")).Record.SuiteVersion;
        AskControl(
            "SET", "redislatency:{night}:session",
            $$"""{"Id":"abc","Expect":"load={{count}}","Version":"{{version}}","Instance":"elsewhere"}""");
        var member = StartMember(0, 2, "load", "--records", "3000");

        await End(3, member);

        member.Errors.ToString().ShouldContain(reason);
        AskControl("XLEN", "redislatency:{night}:abc:events").ShouldBe("1");
    }

    [Fact]
    public async Task AMemberThatIsKilled_IsNamedAsDead_AndTheOthersGoOn()
    {
        var members = await StartMeasuring(3, "4s");

        (await members[1].EndBy("KILL")).ShouldBe(137);
        await End(0, members[0], members[2]);

        foreach (var member in (ServiceProcess[])[members[0], members[2]])
        {
            SavedRun.Of(member).Record.Verdict.Reasons
                .ShouldContain("load 1 (host-1) is dead: its lease ran out.", member.ToString());
        }

        await using var merge = Merge();
        (await merge.End()).ShouldBe(4, merge.ToString());
        merge.Errors.ToString().ShouldContain("Skipped: load 1 of 3 has sent nothing");
    }

    [Fact]
    public async Task AControlRedisThatIsRestarted_CostsNothing()
    {
        var members = await StartMeasuring(2, "5s");

        await Control.Kill();
        await Control.Restart();
        await End(0, members);

        foreach (var record in members.Select(member => SavedRun.Of(member).Record))
            record.Verdict.Reasons.ShouldNotContain(reason => reason.Contains("dead", StringComparison.Ordinal));
        await using var merge = Merge();
        (await merge.End()).ShouldBe(0, merge.ToString());
    }

    [Fact]
    public async Task AMemberThatLosesItsTarget_EndsAll_WithItsReasonInEach()
    {
        await using var other = await RedisServerProcess.Start();
        string[] arguments = ["--mix", "set=1", "--records", "100", "--warmup", "0s", "--duration", "10m"];
        var well = StartMember(0, 2, "run", arguments);
        var lost = StartMemberAt(other.Uri, 1, 2, "run", [.. arguments, "--reconnect-timeout", "500ms"]);
        await Eventually.Is("both measure", () => SavedRun.IntervalsLoggedBy(well) > 0
            && SavedRun.IntervalsLoggedBy(lost) > 0);

        await other.Kill();

        await End(5, lost);
        await End(4, well);
        well.Errors.ToString().ShouldContain("load 1 (host-1) ended the run: ");
        SavedRun.Of(well).Record.PartialReason.ShouldNotBeNull().ShouldContain("load 1 (host-1) ended the run: ");
    }

    [Fact]
    public async Task AMemberThatMayNotMeasure_EndsAllBeforeTheyBegin()
    {
        await using var other = await RedisServerProcess.Start();
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(other.Uri), Patience.Connection))
            connection.Execute("SET", "user6284781860667377211", "somebody's");
        var well = StartMember(0, 2, "load", "--records", "3000");
        // Whoever comes after the other's end begins another session.
        await well.Errors.WaitFor("they meet at");
        var refused = StartMemberAt(other.Uri, 1, 2, "load", "--records", "3000");

        await End(3, refused, well);

        well.Errors.ToString().ShouldContain("load 1 (host-1) ended the run: ");
        well.Errors.ToString().ShouldContain("--overwrite writes all the same");
        CallsOf("set").ShouldBe(0);
    }

    [Fact]
    public async Task AUserWithTheRulesThatCheckPrints_IsEnough_AndItsPasswordIsShownNowhere()
    {
        const string Canary = "c4nary-pa55w0rd";
        var check = StartMember(0, 2, "check");
        await check.End();
        var rule = check.Output.Lines.First(line => line.Contains("ACL SETUSER", StringComparison.Ordinal));
        var words = rule[rule.IndexOf("ACL SETUSER", StringComparison.Ordinal)..].Split(' ');
        AskControl(["ACL", "SETUSER", "fleet", "reset", "on", $">{Canary}", .. words[3..]]).ShouldBe("OK");
        var file = Path.Combine(Control.Folder, "password");
        await File.WriteAllTextAsync(file, Canary, TestContext.Current.CancellationToken);
        string[] login = ["--control", Control.Uri.Replace("//", "//fleet@", StringComparison.Ordinal),
            "--control-password-file", file];

        await using var watch = WatchedLine.Start(login[1], RunName, login[2..]);
        await watch.Errors.WaitFor("Waiting for a run");

        var members = Enumerable.Range(0, 2).Select(index => Start(
            "load",
            [
                "--run", RunName, "--expect", "load=2", "--member", Text(index), "--records", "3000", "--verbose",
                .. login,
            ]))
            .ToList();
        await End(0, members);
        await using var merge = ServiceProcess.Start("Tool", ["report", "merge", "--run", RunName, .. login]);
        (await merge.End()).ShouldBe(0, merge.ToString());

        SavedRun.Of(merge).Count(Counted.Completed).ShouldBe(3_000);
        (await watch.End()).ShouldBe(0, watch.ToString());
        WatchedLine.Of(watch).Sum(line => line.Count).ShouldBe(3_000, watch.ToString());
        foreach (var process in members.Append(merge).Append(watch))
        {
            process.ToString().ShouldNotContain(Canary);
            foreach (var saved in Directory.GetFiles(process.Folder, "*", SearchOption.AllDirectories))
                (await File.ReadAllTextAsync(saved, TestContext.Current.CancellationToken)).ShouldNotContain(Canary);
        }
    }

    [Theory]
    [InlineData(": one process searches", "--expect", "load=2", "--find-max-rate", "service.p99<2ms")]
    [InlineData("inserts another would insert again", "--expect", "2", "--workload", "d")]
    [InlineData("are fewer than the 60 threads", "--expect", "60")]
    [InlineData("load=NUMBER is needed", "--expect", "producer=3")]
    [InlineData("members are counted from 0", "--expect", "2", "--member", "2")]
    [InlineData("--expect says how many they are", "--member", "1")]
    public async Task WhatSeveralCannotDo_IsRefused(string reason, params string[] arguments)
    {
        var member = Start("run", arguments);

        await End(2, member);

        member.Errors.ToString().ShouldContain(reason);
    }

    private async Task<IReadOnlyList<ServiceProcess>> StartMeasuring(int count, string duration)
    {
        var members = Enumerable.Range(0, count).Select(index => StartMember(
            index, count, "run", "--mix", "set=1", "--records", "1000", "--warmup", "0s", "--duration", duration,
            "--rate", "300")).ToList();
        foreach (var member in members)
            await Eventually.Is("it measures", () => SavedRun.IntervalsLoggedBy(member) > 0);
        return members;
    }

    private ServiceProcess Merge() => ServiceProcess.Start(
        "Tool", "report", "merge", "--control", Control.Uri, "--run", RunName);
}
