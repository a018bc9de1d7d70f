using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Scan;

/// <summary>Slots of a source cluster that move while it is scanned or followed.</summary>
public sealed class ScannedSlotsTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Scan_OfAClusterWhoseSlotsMove_IsNotValid(bool readsReplica)
    {
        await using var source = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 2, ReplicasPerPrimary = readsReplica ? 1 : 0 });
        await using var target = await RedisServerProcess.Start();
        using var owner = source.Open(source.PrimaryOf(0));
        using var other = source.Open(source.PrimaryOf(16_383));
        owner.Execute("SET", "b", "1");
        owner.Execute("WAIT", readsReplica ? "1" : "0", "5000");
        owner.Execute("CLUSTER", "SETSLOT", "0", "MIGRATING", other.Execute("CLUSTER", "MYID").Text);

        var record = await SyncProcess.Run(
            "scan", source.Uri, target.Uri, 4, readsReplica ? ["--prefer-replica"] : []);

        record.Synced("keys").ShouldBe(1);
        record["verdict"]!.ToJsonString().ShouldContain("slots moved while they were scanned");
    }

    [Fact]
    public async Task Scan_ThatMeetsASlotWhichMoves_EndsAndSaysSo()
    {
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        foreach (var server in source.Servers)
        {
            using var connection = SyncProcess.Open(server.Uri);
            connection.Execute("CONFIG", "SET", "notify-keyspace-events", "AE");
        }

        source.Execute("a", "SET", "a", "1");
        using var move = MovingSlot.Begin(source.Cluster!, "a"u8);
        await using var process = SyncProcess.Start(
            "scan", source.Uri, target.Uri, "--follow", "--on-existing", "rewrite");
        await process.Until("the scan is over", () => KeyContents.CountIn(to) == 1);
        move.From.Execute("MIGRATE", "127.0.0.1", $"{move.To.Endpoint.Port}", "a", "0", "5000");

        (await process.End()).ShouldBe(4, process.ToString());
        var text = process.ToString();
        text.ShouldContain("Slots of the source move while it is scanned (", Case.Sensitive, text);
    }

    // Without keys, as with a server that was added; nobody hears what is written there.
    [Fact]
    public async Task Scan_ThatFollows_AClusterWhoseSlotsMoveLater_IsNotValid()
    {
        await using var source = await RedisClusterProcesses.Start(new RedisClusterOptions
        {
            Primaries = 2,
            ReplicasPerPrimary = 0,
            Arguments = ["--notify-keyspace-events", "AE"],
        });
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        using var owner = source.Open(source.PrimaryOf(0));
        using var other = source.Open(source.PrimaryOf(16_383));
        owner.Execute("SET", "b", "1");
        other.Execute("SET", "a", "1");
        await using var process = SyncProcess.Start(
            "scan", source.Uri, target.Uri, "--follow", "--on-existing", "rewrite");
        await process.Until("the scan is over", () => KeyContents.CountIn(to) == 2);
        owner.Execute("APPEND", "b", "2");
        other.Execute("APPEND", "a", "2");
        await process.Until("both are followed", () =>
            (to.Execute("GET", "a").Text, to.Execute("GET", "b").Text) == ("12", "12"));

        var id = other.Execute("CLUSTER", "MYID").Text;
        other.Execute("CLUSTER", "SETSLOT", "0", "NODE", id);
        owner.Execute("CLUSTER", "SETSLOT", "0", "NODE", id);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("slots moved while they were scanned");
    }
}
