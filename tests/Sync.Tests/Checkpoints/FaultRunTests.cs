using System.Diagnostics;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;
using RedisLatency.Sync.Tests.Verify;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>
/// Faults under a load of everything, again and again: `verify` judges. A few seconds each; for longer:
/// <c>REDISLATENCY_TEST_FAULT_SECONDS=120</c>.
/// </summary>
public class FaultRunTests
{
    private static readonly string[] Source = ["--repl-backlog-size", "256mb", .. KeyContents.Debuggable];
    // What it has answered the system has, so that a kill costs nothing. One that has the disk save each command would
    // have minutes of them before it in the end.
    private static readonly string[] Target = ["--appendonly", "yes", "--appendfsync", "no", .. KeyContents.Debuggable];

    private static readonly TimeSpan Length = TimeSpan.FromSeconds(FaultTime.AskedSeconds ?? 6);

    private readonly Random _random = new(1);

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Sync_ThatIsKilledAtRandomMoments_LeavesBothEqual(int connections)
    {
        await using var pair = await SyncPair.Start(Source);
        await using var load = MixedLoad.Start(pair.Source.Uri);
        string[] arguments = ["--connections", $"{connections}"];
        await using (var first = await Begin(pair, arguments))
            (await first.EndBy("KILL")).ShouldBe(137);

        var began = Stopwatch.GetTimestamp();
        for (var kills = 0; Stopwatch.GetElapsedTime(began) < Length || kills < 3; kills++)
        {
            await using var process = pair.Sync(arguments);
            // Every fourth at any moment of its beginning.
            if (kills % 4 < 3)
                await Follows(process);
            await After(process, load);
            (await process.EndBy("KILL")).ShouldBe(137, process.ToString());
        }

        await ShouldBecomeEqual(pair, load, arguments);
    }

    [Fact]
    public async Task Sync_WhoseTargetIsKilledAndStartedAgain_StopsWithItsOffset_AndGoesOn()
    {
        await using var pair = await SyncPair.Start(Source, Target);
        await using var load = MixedLoad.Start(pair.Source.Uri);
        var process = await Begin(pair, []);
        var began = Stopwatch.GetTimestamp();
        for (var kills = 0; Stopwatch.GetElapsedTime(began) < Length || kills < 3; kills++)
        {
            await using (process)
            {
                await Follows(process);
                await After(process, load);
                await pair.Target.Kill();
                await pair.Target.Restart();
                (await process.End()).ShouldBe(5, process.ToString());
                process.Errors.ToString().ShouldContain("The same command goes on, from offset ");
            }

            process = pair.Sync();
        }

        await using (process)
            (await process.EndBy("KILL")).ShouldBe(137, process.ToString());
        await ShouldBecomeEqual(pair, load, []);
    }

    // From then on there is a checkpoint: what is killed before it begins anew.
    private static async Task<ServiceProcess> Begin(SyncPair pair, string[] arguments)
    {
        var process = pair.Sync(arguments);
        await process.Until("it streams", () => HeldCheckpoint.HasPosition(pair));
        return process;
    }

    private static Task Follows(ServiceProcess process) => process.Until(
        "it follows", () => process.Errors.ToString().Contains("following what is written", StringComparison.Ordinal));

    private async Task After(ServiceProcess process, MixedLoad load)
    {
        var rounds = load.Rounds + _random.Next(5000);
        await process.Until("more was written", () => load.Rounds >= rounds);
    }

    private static async Task ShouldBecomeEqual(SyncPair pair, MixedLoad load, string[] arguments)
    {
        await using var last = pair.Sync(arguments);
        await load.Stop();
        await last.Until("it has read all", () => pair.From.Execute("INFO", "replication").Text
            .Contains("state=online", StringComparison.Ordinal));

        // A target may have minutes of commands before it.
        await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, 0, "--reconnect-timeout", "10m");

        var (code, record) = await last.EndBy("INT").End(last);
        code.ShouldBe(130, last.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", record["verdict"]!.ToJsonString());
    }
}
