using System.Globalization;
using RedisLatency.Containers.Servers;
using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Jobs;

/// <summary>A source and a destination in containers: the delay of a replica, and the synchroniser.</summary>
public sealed class ReplicationTests : ContainerTest
{
    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task Delay_FromASourceToItsReplica_AccountsForEveryKey(string image)
    {
        var source = await StartServer(image, ["--repl-diskless-sync-delay", "0"]);
        var replica = await StartServer(image, ["--replicaof", source.Address, "6379"]);
        await Eventually.Is(
            "the replica follows", () => replica.Ask("INFO", "replication").Contains("master_link_status:up"));

        var record = await RecordOf(
            StartService(
                "Replication", "delay", "--source", source.Uri, "--destination", replica.Uri, "--keys", "500",
                "--rate", "500", "--live", "none"),
            0, 4);

        CountOf(record, "asked").ShouldBe(500);
        CountOf(record, "read").ShouldBe(500);
        CountOf(record, "missing").ShouldBe(0);
    }

    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task Sync_OfKeysAndOfWhatIsWrittenMeanwhile_MakesBothEqual(string image)
    {
        var source = await StartServer(image, ["--repl-diskless-sync-delay", "0"]);
        var target = await StartServer(image);
        Write(source, 0, 300);

        var sync = StartService(
            "Sync", "sync", "--source", source.Uri, "--destination", target.Uri, "--live", "none");
        await Eventually.Is("the data set is there", () => KeysOf(target) == 300);
        Write(source, 300, 400);
        await Eventually.Is("what was written meanwhile is there", () => KeysOf(target) == 400);
        sync.Signal("INT");

        var record = await RecordOf(sync, 130);
        CountOf(record, "keys").ShouldBe(300);
        CountOf(record, "commands").ShouldBe(100);
        for (var i = 0; i < 400; i++)
            target.Ask("GET", $"key:{i}").ShouldBe($"value:{i}");
    }

    // Without the checkpoint.
    private static int KeysOf(ServerContainer server) =>
        int.Parse(server.Ask("DBSIZE"), CultureInfo.InvariantCulture)
            - int.Parse(server.Ask("EXISTS", "redislatency:checkpoint"), CultureInfo.InvariantCulture);

    private static void Write(ServerContainer server, int from, int to)
    {
        using var connection = server.Open();
        for (var i = from; i < to; i++)
            connection.Execute("SET", $"key:{i}", $"value:{i}");
    }
}
