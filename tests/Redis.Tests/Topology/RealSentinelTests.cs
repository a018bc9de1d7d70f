using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Tests.Lanes;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>Against three Sentinel processes that watch a primary and a replica.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class RealSentinelTests
{
    [Fact]
    public async Task Primary_IsFollowedToItsSuccessor_WhenItDies()
    {
        await using var processes = await Start(new());
        var ports = processes.Sentinels.Select(sentinel => sentinel.Port).ToList();
        var endpoint = RedisEndpoint.Parse(processes.Uri([FreePort.Next(), .. ports]));
        using var watch = SentinelWatch.Start(endpoint, Patience.Followed);
        var resolver = new SentinelResolver(endpoint, Patience.Connection);

        watch.Primary.Port.ShouldBe(processes.Servers[0].Port);
        resolver.ResolvePrimary().ShouldBe(watch.Primary);

        var before = watch.Primary;
        await processes.Servers[0].Kill();
        await Eventually.Is("another server is the primary", () => watch.Primary != before);
        var next = watch.Primary;

        next.Port.ShouldBe(processes.Servers[1].Port);
        watch.Switches.ShouldBe(1);
        using var connection = await Eventually.Get("the resolver finds it", () => RedisConnection.Open(endpoint, Patience.Connection));
        connection.Endpoint.ShouldBe(next);
        connection.Execute("SET", "k", "v").Text.ShouldBe("OK");
    }

    [Fact]
    public async Task Primary_IsFollowed_WhenTheSentinelListenedToDies_AndTheOthersChooseAnother()
    {
        await using var processes = await Start(new() { Password = "secret", SentinelPassword = "own" });
        var endpoint = RedisEndpoint.Parse(processes.Uri());
        using var watch = SentinelWatch.Start(endpoint, Patience.Followed, checkInterval: TimeSpan.FromSeconds(1));

        var before = watch.Primary;
        // It is the first to which the watch listens.
        await processes.Sentinels[0].Kill();
        await processes.Failover(processes.Sentinels[1]);
        await Eventually.Is("another server is the primary", () => watch.Primary != before);
        var next = watch.Primary;

        next.Port.ShouldBe(processes.Servers[1].Port);
        next.Password!.Reveal().ShouldBe("secret");
    }

    [Theory]
    [InlineData("raw")]
    [InlineData("StackExchange.Redis")]
    public async Task Lane_ThroughSentinels_CarriesMessages(string driver)
    {
        await using var processes = await Start(new() { Replicas = 0, Sentinels = 1 });
        var endpoint = RedisEndpoint.Parse(processes.Uri());
        var channels = new LaneOptions { PublishChannels = ["a"], SubscribeChannels = ["a"] };
        using var lane = driver == "raw"
            ? (IPubSubLane)RawLane.Open(endpoint, Patience.Connection, channels)
            : StackExchangeLane.Open(endpoint, Patience.Connection, channels);

        lane.Publish(0, [7]);

        LaneTest.Receive(lane).Payload.ToArray().ShouldBe([7]);
    }

    [Fact]
    public async Task Sentinels_WithPasswordOrUsers_AreLoggedInTo()
    {
        await using var processes = await Start(new()
        {
            Replicas = 0,
            Sentinels = 1,
            Password = "same",
            SentinelPassword = "same",
            SentinelLines = ["user alice on >hers allcommands allchannels", "user bob on >his +hello +client"],
        });
        var port = processes.Sentinels[0].Port;

        Resolve($"redis+sentinel://:same@127.0.0.1:{port}/mymaster?sentinel-password=same").ShouldBeTrue();
        Resolve($"redis+sentinel://:same@127.0.0.1:{port}/mymaster").ShouldBeTrue("the servers' own, where asked for");
        Resolve($"redis+sentinel://:same@127.0.0.1:{port}/mymaster?sentinel-user=alice&sentinel-password=hers")
            .ShouldBeTrue();
        Failure($"redis+sentinel://:same@127.0.0.1:{port}/mymaster?sentinel-password=wr0ng")
            .ShouldBe(ConnectFailure.AuthenticationFailed);
        Failure($"redis+sentinel://:same@127.0.0.1:{port}/mymaster?sentinel-user=bob&sentinel-password=his")
            .ShouldBe(ConnectFailure.NotPermitted);
        Failure($"redis+sentinel://127.0.0.1:{port}/mymaster").ShouldBe(ConnectFailure.AuthenticationFailed);
        Failure($"redis+sentinel://:same@127.0.0.1:{port}/other").ShouldBe(ConnectFailure.ServiceUnknown);
        Failure($"redis+sentinel://:same@127.0.0.1:{processes.Servers[0].Port}/mymaster")
            .ShouldBe(ConnectFailure.RefusedByServer, "a server, not a Sentinel");

        bool Resolve(string uri) =>
            new SentinelResolver(RedisEndpoint.Parse(uri), Patience.Connection).ResolvePrimary().Port
            == processes.Servers[0].Port;

        static ConnectFailure Failure(string uri) => Should.Throw<RedisConnectException>(
            () => RedisConnection.Open(RedisEndpoint.Parse(uri), Patience.Connection)).Reason;
    }

    [Fact]
    public async Task Sentinel_OverTls_IsSpokenTo()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("localhost");
        string[] tls =
        [
            "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority.CaFile,
            "--tls-auth-clients", "no",
        ];
        var (serverPort, sentinelPort) = (FreePort.Next(), FreePort.Next());
        await using var server = await RedisTest.StartServer([.. tls, "--tls-port", $"{serverPort}"]);
        // The Sentinel itself need not reach the server to say where it is.
        await using var sentinel = await SentinelProcesses.StartSentinel(
        [
            "bind 127.0.0.1", $"tls-cert-file {certificate}", $"tls-key-file {key}",
            $"tls-ca-cert-file {authority.CaFile}", "tls-auth-clients no", $"tls-port {sentinelPort}",
            $"sentinel monitor mymaster 127.0.0.1 {serverPort} 1",
        ]);
        var endpoint = RedisEndpoint.Parse($"rediss+sentinel://127.0.0.1:{sentinelPort}/mymaster");

        using var connection = RedisConnection.Open(
            endpoint with { Tls = new() { CaFile = authority.CaFile } }, Patience.Connection);

        connection.Endpoint.ToString().ShouldBe($"rediss://127.0.0.1:{serverPort}/0");
        connection.TransportDescription.ShouldStartWith("tls");
    }

    private static Task<SentinelProcesses> Start(SentinelOptions options) => SentinelProcesses.Start(options);
}
