using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Psync;

namespace RedisLatency.Redis.Tests.Psync;

/// <summary>Real servers, replicated from while they are written to.</summary>
public sealed class ReplicationLinkTests
{
    public static TheoryData<string, bool, bool> Sources => new(
        from program in (string[])["redis-server", "valkey-server"]
        from diskless in (bool[])[false, true]
        from offersDiskless in (bool[])[false, true]
        select (program, diskless, offersDiskless));

    [Theory]
    [MemberData(nameof(Sources))]
    public async Task Source_SendsItsDataSet_AndWhatIsWrittenMeanwhile(
        string program, bool diskless, bool offersDiskless)
    {
        await using var server = await Start(program, diskless);
        using var client = Open(server);
        client.Execute("SET", "before", "1");

        using var replica = new Replica(server.Uri, options: new() { AcceptsDiskless = offersDiskless });
        client.Execute("SELECT", "3");
        client.Execute("SET", "while", "2");
        replica.ReadDataSet().ReadUntil("SET while 2");

        replica.Link.Start.IsFull.ShouldBeTrue();
        replica.DataSet.ShouldBe(["SET before 1"]);
        replica.Commands.ShouldBe(["SELECT 3", "SET while 2"]);
        replica.WasSized.ShouldBe(!(diskless && offersDiskless));
        client.Execute("SET", "after", "3");
        replica.ReadUntil("SET after 3");
        replica.Offset.ShouldBe(MasterOffset(client));
    }

    [Fact]
    public async Task Acknowledgement_StaysAByteBehind_SoThatNoFailoverElectsIt_AndNoWaitCountsIt()
    {
        await using var server = await Start("redis-server", diskless: false);
        using var client = Open(server);
        var options = new ReplicationOptions { AcknowledgeEvery = TimeSpan.FromMilliseconds(20) };
        using var replica = new Replica(server.Uri, options: options);
        replica.ReadDataSet();
        client.Execute("SET", "k", "v");
        replica.ReadUntil("SET k v");
        replica.Apply();
        await Eventually.Is(
            "it has acknowledged all but a byte",
            () => client.Execute("INFO", "replication").Text.Contains($"offset={MasterOffset(client) - 1},"));

        client.Execute("WAIT", "1", "50").Number.ShouldBe(0);
        client.Execute("FAILOVER", "TIMEOUT", "300");
        await Eventually.Is(
            "the primary has given up",
            () => client.Execute("INFO", "replication").Text.Contains("master_failover_state:no-failover"));

        client.Execute("ROLE").Items[0].Text.ShouldBe("master");
    }

    [Fact]
    public async Task Link_GoesOnWhereItWas_AfterItWasLost()
    {
        await using var server = await Start("redis-server", diskless: false);
        using var client = Open(server);
        ReplicationPosition position;
        using (var first = new Replica(server.Uri))
        {
            first.ReadDataSet();
            client.Execute("SET", "one", "1");
            position = first.ReadUntil("SET one 1").Position;
        }

        client.Execute("SET", "two", "2");
        using var second = new Replica(server.Uri, position);

        second.Link.Start.IsFull.ShouldBeFalse();
        second.ReadUntil("SET two 2").Commands.ShouldBe(["SET two 2"]);
        second.Offset.ShouldBe(MasterOffset(client));
        using var tooFar = new Replica(server.Uri, position with { Offset = position.Offset + 1_000_000 });
        tooFar.Link.Start.IsFull.ShouldBeTrue();
    }

    [Fact]
    public async Task Link_GoesOnWithTheNewPrimary_UnderItsId()
    {
        await using var primary = await Start("redis-server", diskless: false);
        await using var second = await Start("redis-server", diskless: false);
        using var client = Open(second);
        client.Execute("REPLICAOF", "127.0.0.1", primary.Port.ToString(CultureInfo.InvariantCulture));
        ReplicationPosition position;
        using (var source = Open(primary))
        {
            await Eventually.Is(
                "its replica is in step",
                () => client.Execute("INFO", "replication").Text.Contains("master_link_status:up"));
            using var before = new Replica(second.Uri);
            before.ReadDataSet();
            source.Execute("SET", "one", "1");
            position = before.ReadUntil("SET one 1").Position;
        }

        client.Execute("REPLICAOF", "NO", "ONE");
        client.Execute("SET", "two", "2");
        using var after = new Replica(second.Uri, position);

        after.Link.Start.IsFull.ShouldBeFalse();
        after.Link.Start.Position.ReplicationId.ShouldNotBe(position.ReplicationId);
        after.ReadUntil("SET two 2").Offset.ShouldBe(MasterOffset(client));
    }

    [Fact]
    public async Task Source_IsReadFrom_WhileNobodyTakesWhatCame()
    {
        await using var server = await Start("redis-server", diskless: false);
        using var client = Open(server);
        var folder = Directory.CreateTempSubdirectory("redislatency-spool-").FullName;
        var spool = new SpoolOptions { MemoryLimit = 4096, Folder = folder };
        var value = new string('x', 10_000);
        using (var replica = new Replica(server.Uri, options: new() { Spool = spool }))
        {
            replica.ReadDataSet();
            var expected = new List<string> { "SELECT 0" };
            for (var i = 0; i < 1000; i++)
            {
                client.Execute("SET", $"k{i}", value);
                expected.Add($"SET k{i} {value}");
            }

            await Eventually.Is("everything was received", () => replica.Link.Waiting >= 10_000_000);
            replica.Link.OnDisk.ShouldBeGreaterThan(9_000_000);
            replica.ReadUntil(expected[^1]).Commands.ShouldBe(expected);
            replica.Link.OnDisk.ShouldBe(0);
        }

        Directory.Delete(folder);
    }

    [Fact]
    public async Task LostSource_IsReported_BehindWhatItHadSent()
    {
        await using var server = await Start("redis-server", diskless: false);
        using var client = Open(server);
        using var replica = new Replica(server.Uri);
        replica.ReadDataSet();
        client.Execute("SET", "last", "1");
        await Eventually.Is(
            "everything was received", () => replica.Offset + replica.Link.Waiting >= MasterOffset(client));
        await server.Kill();

        replica.ReadUntil("SET last 1");
        Should.Throw<RedisConnectionLostException>(() =>
        {
            while (true)
                replica.Receive();
        });
    }

    [Fact]
    public async Task User_WithoutTheRight_IsToldWhichOneIsMissing()
    {
        await using var server = await Start("redis-server", diskless: false);
        using var client = Open(server);
        client.Execute("ACL", "SETUSER", "reader", "on", ">secret", "+ping", "~*");
        client.Execute("ACL", "SETUSER", "replica", "on", ">secret", "+ping", "+psync", "+replconf");

        Should.Throw<RedisServerException>(() => new Replica($"redis://reader:secret@127.0.0.1:{server.Port}"))
            .Message.ShouldContain("+psync +replconf");
        using var replica = new Replica($"redis://replica:secret@127.0.0.1:{server.Port}");
        replica.ReadDataSet().DataSet.ShouldBeEmpty();
    }

    [Fact]
    public async Task Replica_WithoutItsOwnSource_IsTransient()
    {
        await using var orphan = await Start("redis-server", diskless: false);
        using var client = Open(orphan);
        client.Execute("REPLICAOF", "127.0.0.1", FreePort.Next().ToString(CultureInfo.InvariantCulture));

        var problem = Should.Throw<RedisServerException>(() => new Replica(orphan.Uri));

        problem.Code.ShouldBe("NOMASTERLINK");
        problem.IsTransient.ShouldBeTrue();
    }

    private static async Task<RedisServerProcess> Start(string program, bool diskless)
    {
        ServerRequirement.Require(program);
        return await RedisServerProcess.Start(
            program, "--repl-diskless-sync", diskless ? "yes" : "no");
    }

    private static RedisConnection Open(RedisServerProcess server) =>
        RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);

    private static long MasterOffset(RedisConnection client) => long.Parse(
        client.Execute("INFO", "replication").Text.Split("master_repl_offset:")[1].Split('\r')[0],
        CultureInfo.InvariantCulture);
}
