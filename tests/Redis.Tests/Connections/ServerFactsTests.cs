using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Connections;

public sealed class ServerFactsTests
{
    [Theory]
    [InlineData("redis-server", "redis")]
    [InlineData("valkey-server", "valkey")]
    public async Task RealServer_TellsItsFacts(string program, string name)
    {
        ServerRequirement.Require(program);
        await using var server = await Fixtures.RedisServerProcess.Start(program);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);

        var facts = ServerFacts.Read(connection);

        facts.Name.ShouldBe(name);
        facts.Version!.Split('.').Length.ShouldBe(3);
        facts.Mode.ShouldBe("standalone");
        facts.RunId!.Length.ShouldBe(40);
        facts.OperatingSystem.ShouldNotBeNullOrEmpty();
        facts.Role.ShouldBe("master");
        facts.IsLoading.ShouldBe(false);
        facts.UnavailableBecause.ShouldBeNull();
    }

    [Fact]
    public async Task UserWithoutInfo_GetsWhatHelloSaid_AndTheReason()
    {
        await using var server = await RedisTest.StartServer("--user", "alice", "on", ">secret", "+ping");
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri.Replace("//", "//alice:secret@")), Patience.Connection);

        var facts = ServerFacts.Read(connection);

        facts.Name.ShouldBe("redis");
        facts.Mode.ShouldBe("standalone");
        facts.RunId.ShouldBeNull();
        facts.UnavailableBecause!.ShouldContain("NOPERM");
    }

    [Theory]
    [InlineData("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\n", "valkey", "8.1.0")]
    [InlineData("redis_version:5.0.5\r\ntair_version:1.8.3\r\n", "tair", "1.8.3")]
    [InlineData("# Server\r\nredis_version:7.0.15\r\n", "redis", "7.0.15")]
    [InlineData("redis_version:1\r\nredis_version:7.0.15\r\n", "redis", "7.0.15")]
    [InlineData("", null, null)]
    public void Imitators_AreToldByTheirOwnVersion(string fields, string? name, string? version)
    {
        var facts = ServerFacts.FromFields(fields);

        facts.Name.ShouldBe(name);
        facts.Version.ShouldBe(version);
    }

    /// <summary>Modules and many databases make it as long; a proxy says all of it whatever section is wanted.</summary>
    [Fact]
    public void InformationOfMegabytes_IsRead_WhateverIsWantedOfIt()
    {
        var filler = string.Concat(Enumerable.Range(0, 40_000).Select(db => $"db{db}:keys=1,expires=0,avg_ttl=0\r\n"));
        var text = $"redis_version:7.0.15\r\n{filler}role:slave\r\nmaster_host:10.0.0.5\r\nmaster_port:6379\r\n";
        var info = $"${text.Length}\r\n{text}\r\n";
        using var server = FakeServer.Answering(info, "-NOPERM no\r\n", info, "-NOPERM no\r\n", info, "+PONG\r\n");
        using var connection = RedisConnection.Open(
            RedisEndpoint.Parse(server.Uri),
            Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty });

        ServerFacts.Read(connection).Version.ShouldBe("7.0.15");
        ServerRole.WhyNotThePrimary(connection).ShouldBe("is a replica");
        ReplicasReply.Ask(connection).Primary.ShouldBe(new HostAndPort("10.0.0.5", 6379));
        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Fact]
    public void Replicas_WithoutAPort_AreNone() => ReplicasReply
        .Read("role:master\r\nslave0:ip=10.0.0.2,port=0,state=online\r\nslave1:ip=10.0.0.3,port=7,state=online\r\n")
        .Replicas.ShouldBe([new HostAndPort("10.0.0.3", 7)]);

    [Fact]
    public void LoadingServer_IsTold() => ServerFacts.FromFields("loading:1\r\n").IsLoading.ShouldBe(true);
}
