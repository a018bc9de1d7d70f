using RedisLatency.Integration.Results;

namespace RedisLatency.Integration.Workloads;

/// <summary>Keys that others have written are left alone, and what was written is removed again.</summary>
public class ForeignKeyTests : WorkloadTest
{
    private const string Planted = "user6284781860667377211";

    [Fact]
    public async Task KeyOfOthers_IsRefused_UnlessToldToOverwrite_AndWhatIsLoadedIsOurs()
    {
        Ask("SET", Planted, "mine");
        Ask("SET", "another", "mine too");

        foreach (var verb in (string[])["load", "run", "check"])
        {
            var refused = Start(verb, "--records", "500");
            (await refused.End()).ShouldBe(3, refused.ToString());
            (refused.Errors.ToString() + refused.Output).ShouldContain(Planted);
            SavedRun.FoldersOf(refused).ShouldBeEmpty();
        }

        Ask("GET", Planted).ShouldBe("mine");
        Ask("DBSIZE").ShouldBe("2");

        // What is only read is nobody's loss.
        await Run([0, 4], "run", "--records", "500", "--workload", "c", "--operations", "100", "--warmup", "0s");
        await Load(500, "--overwrite");
        await Run(0, "run", "--records", "500", "--workload", "a", "--operations", "1000", "--warmup", "0s");
        (await Cleanup()).ShouldBe("RESULT role=workload cleanup=ok removed=500 exit=0");
        Ask("DBSIZE").ShouldBe("1");
        Ask("GET", "another").ShouldBe("mine too");
    }

    [Theory]
    [InlineData("load", "--records 1500 --key-form memtier --expiry 1h", 1_500)]
    [InlineData("run", "--records 1500 --key-form prefix:{0:D6} --mix set=1 --duration 1s --warmup 0s", -1)]
    [InlineData("run", "--records 100 --mix insert=1 --duration 1s --warmup 0s", -1)]
    public async Task OwnKeys_AreWrittenAgain_AndRemoved(string verb, string words, int removed)
    {
        string[] arguments = words.Split(' ');
        await Run(0, verb, arguments);
        await Run(0, verb, arguments);
        if (words.Contains("--expiry"))
            long.Parse(Ask("PTTL", "memtier-7"), System.Globalization.CultureInfo.InvariantCulture).ShouldBeInRange(1, 3_600_000);

        // A note without its keys stands for nothing.
        var keys = int.Parse(Ask("DBSIZE"), System.Globalization.CultureInfo.InvariantCulture) - 1;
        keys.ShouldBeGreaterThan(0);
        (await Cleanup()).ShouldBe($"RESULT role=workload cleanup=ok removed={(removed < 0 ? keys : removed)} exit=0");
        Ask("DBSIZE").ShouldBe("0");

        await Run(0, verb, arguments);
        Ask("FLUSHALL");
        await Run(0, verb, arguments);
    }

    [Fact]
    public async Task NoteThatCannotBeWritten_IsRefusedBeforeAnythingIs_AndSaidWhereThatIsOverruled()
    {
        Ask("RPUSH", "redislatency:loaded", "another's");

        foreach (var verb in (string[])["load", "check", "cleanup"])
        {
            var refused = Start(verb, verb == "cleanup" ? [] : ["--records", "500"]);
            (await refused.End()).ShouldBe(3, refused.ToString());
            (refused.Errors.ToString() + refused.Output).ShouldContain("redislatency:loaded cannot be read: WRONGTYPE");
        }

        Ask("DBSIZE").ShouldBe("1");
        var run = await Load(500, "--overwrite");
        run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains(
            "what was written could not be noted, so cleanup will not remove it: "));
    }

    [Fact]
    public async Task KeysThatAnotherProgramHasMadeAnotherTypeOf_AreNotOverwritten_AndLeft()
    {
        string[] keys = ["--records", "5", "--key-form", "app:{0}"];
        string[] run = [.. keys, "--mix", "set=1", "--operations", "50", "--warmup", "0s"];
        await Run(0, "load", keys);
        await Run([0, 4], "run", run);
        Ask("DEL", "app:1");
        Ask("HSET", "app:1", "mine", "1");

        foreach (var verb in (string[])["run", "check"])
        {
            var refused = Start(verb, run);
            (await refused.End()).ShouldBe(3, refused.ToString());
            (refused.Errors.ToString() + refused.Output).ShouldContain("no strings any more, app:1 for one");
        }

        Ask("TYPE", "app:1").ShouldBe("hash");
        (await Cleanup()).ShouldBe("RESULT role=workload cleanup=ok removed=4 exit=0");
        Ask("HGET", "app:1", "mine").ShouldBe("1");
        Ask("DBSIZE").ShouldBe("1");
    }

    [Fact]
    public async Task WhatACommandOfTheUsersHasWritten_IsRemoved_OfWhateverTypeItIs()
    {
        string[] run =
            ["--records", "5", "--command", "HSET __key__ f __data__", "--operations", "50", "--warmup", "0s"];
        await Run([0, 4], "run", run);
        Ask("DBSIZE").ShouldBe("6");
        await Run([0, 4], "run", run);

        (await Cleanup()).ShouldBe("RESULT role=workload cleanup=ok removed=5 exit=0");
    }

    private async Task<string> Cleanup()
    {
        var process = Start("cleanup");
        (await process.End()).ShouldBe(0, process.ToString());
        return process.Output.Lines[^1];
    }
}
