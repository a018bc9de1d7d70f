using System.Diagnostics;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>
/// Servers on either side that fail, are replaced, move slots, say nothing or have another clock, and a disk that is
/// full, under a load: both are equal in the end, or the run has stopped and said what goes on; `verify` judges. Each
/// fault once; for longer, again and again: <c>REDISLATENCY_TEST_FAULT_SECONDS=120</c>.
/// </summary>
public class ServerFaultTests
{
    private const string AtOnce = "reshard at once";

    private static readonly int SlotOfLast = KeySlot.Of(Encoding.ASCII.GetBytes(RepeatedCommand.LastKey));

    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(FaultTime.AskedSeconds / 3 ?? 2);

    private static readonly string[] LargeBacklog = ["--repl-backlog-size", "256mb", .. KeyContents.Debuggable];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Target_ThatSentinelsReplace(bool isKilled)
    {
        await using var source = await RedisServerProcess.Start(arguments: LargeBacklog);
        await using var target = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var load = MixedLoad.Start(source.Uri);
        await using var command = new RepeatedCommand(source.Uri, target.Uri());

        await Again(command, load, async () =>
        {
            // What only the killed one had is no failover that the servers survived.
            using (var primary = target.OpenServer(PrimaryOf(target)))
            {
                primary.Execute("PING");
                primary.Execute("WAIT", "1", "0").Number.ShouldBeGreaterThan(0);
            }

            await Replace(target, isKilled);
        });

        await load.Stop();
        await command.ShouldBeEqual(
            () => SyncProcess.Open(source.Uri), () => target.OpenServer(PrimaryOf(target)));
        command.Stops.ShouldBeGreaterThan(0, command.ToString());
        command.Anews.ShouldBe(0, command.ToString());
    }

    [Theory]
    [InlineData("failover")]
    [InlineData("kill")]
    [InlineData("reshard")]
    public async Task Target_ThatIsAClusterOfWhichAPartChanges(string fault)
    {
        await using var source = await RedisServerProcess.Start(arguments: LargeBacklog);
        await using var target = await StartCluster(fault);
        await using var load = SourceLoad.Start(source.Uri, databases: 1);
        await using var command = new RepeatedCommand(source.Uri, target.Uri);

        await Again(command, load, Change(target, fault));

        await load.Stop();
        await command.ShouldBeEqual(
            () => SyncProcess.Open(source.Uri), () => target.Open(target.PrimaryOf(SlotOfLast)));
        command.Anews.ShouldBe(0, command.ToString());
    }

    // Servers from Valkey 9 on move slots at one moment, and say so in their streams.
    [Fact(Explicit = true)]
    public Task Target_ThatIsAClusterOfWhichSlotsMoveAtOnce() =>
        Target_ThatIsAClusterOfWhichAPartChanges(AtOnce);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Source_ThatSentinelsReplace(bool isKilled)
    {
        await using var source = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var target = await RedisServerProcess.Start();
        await using var load = MixedLoad.Start(() => source.OpenServer(PrimaryOf(source)));
        await using var command = new RepeatedCommand(source.Uri(), target.Uri);

        await Again(command, load, () => Replace(source, isKilled));

        await load.Stop();
        await command.ShouldBeEqual(
            () => source.OpenServer(PrimaryOf(source)), () => SyncProcess.Open(target.Uri));
    }

    // Its shards are read independently of each other, so the run stops, and copies all of it once more.
    [Fact]
    public Task Source_ThatIsAClusterOfWhichSlotsMove() => CopyWhileSlotsOfTheSourceMove("reshard");

    [Fact(Explicit = true)]
    public Task Source_ThatIsAClusterOfWhichSlotsMoveAtOnce() => CopyWhileSlotsOfTheSourceMove(AtOnce);

    private static async Task CopyWhileSlotsOfTheSourceMove(string fault)
    {
        await using var source = await StartCluster(fault);
        await using var target = await RedisServerProcess.Start();
        await using var load = ClusterLoad.Start(source);
        await using var command = new RepeatedCommand(source.Uri, target.Uri);
        var anews = 0;
        var move = Change(source, fault);

        await Again(command, load, async () =>
        {
            await move();
            anews++;
            await command.Until("it has stopped, and begun anew", () => command.Anews == anews);
        });

        await load.Stop();
        await command.ShouldBeEqual(
            () => source.Open(source.PrimaryOf(SlotOfLast)), () => SyncProcess.Open(target.Uri));
    }

    [Fact]
    public async Task Source_ThatIsStartedAgain()
    {
        await using var source = await RedisServerProcess.Start(arguments: ["--appendonly", "yes", .. LargeBacklog]);
        await using var target = await RedisServerProcess.Start();
        await using var load = MixedLoad.Start(() => SyncProcess.Open(source.Uri));
        await using var command = new RepeatedCommand(source.Uri, target.Uri);

        await Again(command, load, async () =>
        {
            await source.Kill();
            await source.Restart();
        });

        await load.Stop();
        await command.ShouldBeEqual(
            () => SyncProcess.Open(source.Uri), () => SyncProcess.Open(target.Uri));
    }

    // As a link that is silent, without a word that it is cut.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Server_ThatSaysNothingForAWhile(bool isSource)
    {
        await using var source = await RedisServerProcess.Start(arguments: LargeBacklog);
        await using var target = await RedisServerProcess.Start();
        await using var load = MixedLoad.Start(() => SyncProcess.Open(source.Uri));
        await using var command = new RepeatedCommand(source.Uri, target.Uri);
        var silent = isSource ? source : target;

        await Again(command, load, async () =>
        {
            silent.Pause();
            try
            {
                await Task.Delay(Silence, TestContext.Current.CancellationToken);
            }
            finally
            {
                silent.Resume();
            }
        });

        await load.Stop();
        await command.ShouldBeEqual(
            () => SyncProcess.Open(source.Uri), () => SyncProcess.Open(target.Uri));
    }

    [Fact]
    public async Task Spool_WhoseDiskIsFull()
    {
        await using var source = await RedisServerProcess.Start(arguments: LargeBacklog);
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        await using var load = MixedLoad.Start(source.Uri);
        await using var command = new RepeatedCommand(source.Uri, target.Uri, arguments => ServiceProcess.StartShell(
            $$"""
            mkdir -p disk
            exec unshare --mount sh -c 'mount -t tmpfs -o size=1m none disk && exec "$@"' sh \
                "$PROGRAM" sync {{source.Uri}} {{target.Uri}} --spool disk --format json --live none \
                {{string.Join(' ', arguments)}}
            """));
        var value = new string('x', 1 << 20);

        await Again(command, load, async () =>
        {
            // What is missing from before would be more than the backlog has, after some times.
            await command.Until("all is there", HasAll);
            var stops = command.Stops + 1;
            for (var attempt = 1; command.Stops < stops; attempt++)
            {
                // More than fits into the sockets, the memory and the disk, if it is read in time.
                target.Pause();
                try
                {
                    for (var i = 0; i < 40; i++)
                        from.Execute("SET", $"large:{i % 10}", value);
                    from.Execute("SET", "attempt", $"{stops}.{attempt}");
                }
                finally
                {
                    target.Resume();
                }

                await command.Until("it has stopped, or all is there", () => command.Stops >= stops || HasAll());
            }
        });

        await load.Stop();
        await command.ShouldBeEqual(
            () => SyncProcess.Open(source.Uri), () => SyncProcess.Open(target.Uri));
        command.Anews.ShouldBe(0, command.ToString());

        // The load empties the database now and then.
        bool HasAll()
        {
            using var to = SyncProcess.Open(target.Uri);
            return to.Execute("GET", "attempt").Text == from.Execute("GET", "attempt").Text;
        }
    }

    [Theory]
    [InlineData("ours")]
    [InlineData("source's")]
    public async Task Clock_ThatIsAnHourAhead(string whose)
    {
        using var clock = await SettableClock.Make(TimeSpan.FromHours(1));
        await using var source = whose == "ours"
            ? await RedisServerProcess.Start(arguments: LargeBacklog)
            : await RedisServerProcess.StartWithClock(clock, LargeBacklog);
        await using var target = await RedisServerProcess.Start();
        await using var load = MixedLoad.Start(source.Uri);
        await using var command = new RepeatedCommand(source.Uri, target.Uri, arguments => whose == "ours"
            ? SyncProcess.StartWithClock("+3600s", "sync", source.Uri, target.Uri, arguments)
            : SyncProcess.Start("sync", source.Uri, target.Uri, arguments));

        await Again(command, load, () => Task.CompletedTask);

        await load.Stop();
        await command.ShouldBeEqual(
            () => SyncProcess.Open(source.Uri), () => SyncProcess.Open(target.Uri));
        command.Stops.ShouldBe(0, command.ToString());
    }

    // The fault, once more is written, until the time is up.
    private static async Task Again(RepeatedCommand command, SourceWriter load, Func<Task> fault)
    {
        var random = new Random(1);
        var began = Stopwatch.GetTimestamp();
        do
        {
            await command.Follow();
            var rounds = load.Rounds + random.Next(2000);
            await command.Until("more was written", () => load.Rounds >= rounds);
            await fault();
            rounds = load.Rounds + random.Next(2000);
            await command.Until("more was written", () => load.Rounds >= rounds);
        }
        while (Stopwatch.GetElapsedTime(began).TotalSeconds < FaultTime.AskedSeconds);
    }

    // The other one is its replica before the next time.
    private static async Task Replace(SentinelProcesses processes, bool isKilled)
    {
        var primary = PrimaryOf(processes);
        if (isKilled)
        {
            await primary.Kill();
            await Eventually.Is("another is named", () => PrimaryOf(processes) != primary);
            await primary.Restart();
        }
        else
        {
            await processes.Failover(processes.Sentinels[0]);
        }

        await Eventually.Is("the other one follows", () =>
        {
            using var connection = processes.OpenServer(primary);
            return connection.Execute("ROLE").Items is { Count: > 3 } role && role[3].Text == "connected";
        });
        // Our own connection is listed as a replica, too, and stays there.
        using var sentinel = processes.OpenSentinel(processes.Sentinels[0]);
        await Eventually.Is("the Sentinel knows", () => sentinel.Execute("SENTINEL", "REPLICAS", "mymaster").Items
            .Any(it => it.Find("port")?.Text == $"{primary.Port}" && it.Find("master-link-status")?.Text == "ok"));
    }

    private static RedisServerProcess PrimaryOf(SentinelProcesses processes)
    {
        using var sentinel = processes.OpenSentinel(processes.Sentinels[0]);
        var port = sentinel.Execute("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster").Items[1].Text;
        return processes.Servers.First(server => $"{server.Port}" == port);
    }

    private static Task<RedisClusterProcesses> StartCluster(string fault) => RedisClusterProcesses.Start(
        new RedisClusterOptions
        {
            Primaries = 3,
            ReplicasPerPrimary = fault is "reshard" or AtOnce ? 0 : 1,
            Program = fault == AtOnce ? ServerRequirement.RequireUnpacked("valkey-9.") : "redis-server",
            Arguments = ["--appendonly", "yes", "--appendfsync", "always", .. KeyContents.Debuggable],
        });

    private static Func<Task> Change(RedisClusterProcesses cluster, string fault)
    {
        var first = 0;
        return fault switch
        {
            "failover" => () => cluster.Failover(cluster.ReplicasOf(cluster.PrimaryOf(0))[0]),
            "kill" => Kill,
            AtOnce => () => Move(cluster.MigrateSlotsAtOnce),
            _ => () => Move(cluster.MigrateSlots),
        };

        async Task Kill()
        {
            var primary = cluster.PrimaryOf(0);
            await cluster.KillPrimary(primary);
            await primary.Restart();
            await Eventually.Is("it is a replica", () => cluster.ReplicasOf(cluster.PrimaryOf(0)).Contains(primary));
        }

        async Task Move(Func<RedisServerProcess, RedisServerProcess, int, int, Task> migrate)
        {
            // The first 5,400 slots, by turns, to the last primary and, the next time, away from it.
            var (from, last) = (cluster.PrimaryOf(first), cluster.PrimaryOf(16383));
            await migrate(from, from == last ? cluster.PrimaryOf(8000) : last, first, first + 299);
            first = (first + 300) % 5400;
        }
    }
}
