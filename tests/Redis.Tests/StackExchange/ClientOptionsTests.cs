using System.Security.Authentication;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;

namespace RedisLatency.Redis.Tests.StackExchange;

/// <summary>An application's connection string reaches the client as it is.</summary>
public sealed class ClientOptionsTests
{
    private const string Whole =
        "cache.example:6380,user=alice,password=secret,ssl=True,sslHost=real.example,defaultDatabase=4,name=me,"
        + "connectTimeout=2500,syncTimeout=750,asyncTimeout=800,responseTimeout=900,abortConnect=False,"
        + "allowAdmin=True,channelPrefix=app:,checkCertificateRevocation=False,configChannel=news,"
        + "configCheckSeconds=7,connectRetry=5,highIntegrity=True,highPriorityThreads=True,keepAlive=11,"
        + "preserveAsyncOrder=True,protocol=resp3,resolveDns=True,setlib=False,sslProtocols=Tls12|Tls13,"
        + "tcpKeepAlive=False,tiebreaker=tie,version=5.0,writeBuffer=4096";

    [Fact]
    public void EveryOption_ReachesTheClient()
    {
        var given = ConfigurationOptions.Parse(Whole);

        var configured = ClientConnection.Configure(RedisEndpoint.Parse(Whole), Patience.Connection);

        configured.ToString(includePassword: true).ShouldBe(given.ToString(includePassword: true));
        configured.ConfigCheckSeconds.ShouldBe(7);
        configured.SslProtocols.ShouldBe(SslProtocols.Tls12 | SslProtocols.Tls13);
    }

    [Fact]
    public void WhatIsNotSaid_IsOfTheRun()
    {
        var configured = ClientConnection.Configure(
            RedisEndpoint.Parse("host:7000,allowAdmin=True") with { User = "bob", Password = new("secret") },
            new RedisConnectionOptions
            {
                ClientName = "run",
                CommandTimeout = TimeSpan.FromSeconds(2),
                ConnectTimeout = TimeSpan.FromSeconds(3),
                IdleTimeout = TimeSpan.FromSeconds(4),
            });

        (configured.SyncTimeout, configured.AsyncTimeout, configured.ConnectTimeout).ShouldBe((2000, 2000, 3000));
        (configured.KeepAlive, configured.ClientName, configured.User).ShouldBe((4, "run", "bob"));
        (configured.ConfigurationChannel, configured.TieBreaker).ShouldBe((string.Empty, string.Empty));
    }

    [Fact]
    public void ProtocolThatIsAskedFor_GoesBeforeTheStrings()
    {
        var endpoint = RedisEndpoint.Parse("host,protocol=resp3");

        ClientConnection.Configure(endpoint, Patience.Connection with { Protocol = RespPreference.Resp2 })
            .Protocol.ShouldBe(RedisProtocol.Resp2);
        ClientConnection.Configure(endpoint, Patience.Connection).Protocol.ShouldBe(RedisProtocol.Resp3);
    }

    /// <summary>Where it says nothing, the client knows what that portal's caches need.</summary>
    [Fact]
    public void PortalsOwnDefaults_AreKept() =>
        ClientConnection.Configure(
            RedisEndpoint.Parse("cache.redis.cache.windows.net:6380,ssl=True"), Patience.Connection)
            .AbortOnConnectFail.ShouldBeFalse();

    [Fact]
    public async Task OptionsOfAnApplication_AreSeenByTheServer()
    {
        await using var server = await RedisTest.StartServer();
        using var client = ApplicationClient.Open(
            [EndpointOf(server, "protocol=resp2,configChannel=news,name=shop")], Patience.Connection);

        client.Protocol.ShouldBe(2);
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        control.Execute("CLIENT", "LIST").Text.ShouldContain("name=shop ");
        SpinWait.SpinUntil(() => control.Execute("PUBSUB", "CHANNELS") is { Items: [{ Text: "news" }] },
            ServiceProcess.LimitAgainstHangs).ShouldBeTrue();
    }

    /// <summary>The other end may have the raw driver, which knows no prefix.</summary>
    [Fact]
    public async Task WhatALaneSetsOtherwise_IsSaid()
    {
        await using var server = await RedisTest.StartServer();
        var options = new LaneOptions { PublishChannels = ["ping"], SubscribeChannels = ["ping"] };
        using var lane = StackExchangeLane.Open(
            EndpointOf(server, "channelPrefix=app:,abortConnect=False,keepAlive=10"), Patience.Connection, options);
        using var other = StackExchangeLane.Open(
            EndpointOf(server, "abortConnect=True"), Patience.Connection, options);

        lane.Description.Transport.ShouldBe("tcp, the client's threads, overriding abortConnect, channelPrefix");
        other.Description.Transport.ShouldBe("tcp, the client's threads");
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        control.Execute("PUBSUB", "CHANNELS").Items.Select(channel => channel.Text).ShouldBe(["ping"]);
    }

    private static RedisEndpoint EndpointOf(RedisServerProcess server, string options) =>
        RedisEndpoint.Parse($"{server.Uri["redis://".Length..].TrimEnd('/')},{options}");
}
