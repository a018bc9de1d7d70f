using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>Sentinels that lie, are behind, or are none; the servers they name are real.</summary>
public sealed class SentinelResolverTests
{
    [Fact]
    public async Task Primary_ThatASentinelNames_IsReached()
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");
        using var sentinel = new FakeSentinel(FakeSentinel.Naming(server.Port));
        var endpoint = RedisEndpoint.Parse($"redis+sentinel://:secret@127.0.0.1:{sentinel.Port}/mymaster/3");

        using var connection = RedisConnection.Open(endpoint);

        connection.Endpoint.ToString().ShouldBe($"redis://:***@127.0.0.1:{server.Port}/3");
        connection.Execute("CLIENT", "INFO").Text.ShouldContain("db=3");
        new SentinelResolver(endpoint).ResolvePrimary().ShouldBe(connection.Endpoint);
    }

    [Fact]
    public async Task Sentinel_ThatNamesAReplica_IsNotBelieved()
    {
        await using var primary = await RedisTest.StartServer();
        await using var replica = await RedisTest.StartServer("--replicaof", "127.0.0.1", $"{primary.Port}");
        using var behind = new FakeSentinel(FakeSentinel.Naming(replica.Port));
        using var right = new FakeSentinel(FakeSentinel.Naming(primary.Port));
        var both = RedisEndpoint.Parse(
            $"redis+sentinel://127.0.0.1:{behind.Port},127.0.0.1:{right.Port}/mymaster");
        var resolver = new SentinelResolver(both);

        resolver.ResolvePrimary().Port.ShouldBe(primary.Port);
        resolver.ResolvePrimary().Port.ShouldBe(primary.Port);
        behind.Asked.ShouldBe(1, "who was right is asked first");

        var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(behind.Endpoint));
        problem.Reason.ShouldBe(ConnectFailure.NoFittingServer);
        problem.Message.ShouldContain($"names 127.0.0.1:{replica.Port}, which is a replica");
        problem.IsTransient.ShouldBeTrue();
    }

    [Fact]
    public async Task Sentinel_ThatNamesItselfOrTheDead_IsNotBelieved()
    {
        await using var primary = await RedisTest.StartServer();
        using var naming = new FakeSentinel(string.Empty);
        foreach (var port in (int[])[naming.Port, FreePort.Next()])
        {
            naming.Reply = FakeSentinel.Naming(port);
            var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(naming.Endpoint));
            problem.Message.ShouldContain($"127.0.0.1:{port}");
        }
    }

    [Fact]
    public async Task User_WithoutRole_IsVerifiedByWhatHelloSaid()
    {
        string[] user = ["--user", "alice", "on", ">secret", "~*", "+ping"];
        await using var primary = await RedisTest.StartServer(user);
        await using var replica = await RedisTest.StartServer(
            [.. user, "--replicaof", "127.0.0.1", $"{primary.Port}"]);
        using var sentinel = new FakeSentinel(FakeSentinel.Naming(primary.Port));
        var endpoint = RedisEndpoint.Parse($"redis+sentinel://alice:secret@127.0.0.1:{sentinel.Port}/mymaster");

        RedisConnection.Open(endpoint).Dispose();
        sentinel.Reply = FakeSentinel.Naming(replica.Port);
        Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint))
            .Reason.ShouldBe(ConnectFailure.NoFittingServer);
        Should.Throw<RedisConnectException>(
                () => RedisConnection.Open(endpoint, new() { Protocol = RespPreference.Resp2 }))
            .Message.ShouldContain("ACL SETUSER alice +role");
    }

    [Fact]
    public async Task Server_ThatRefusesTheLogin_IsNotTriedThroughEverySentinel()
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");
        using var sentinel = new FakeSentinel(FakeSentinel.Naming(server.Port));
        var endpoint = RedisEndpoint.Parse(
            $"redis+sentinel://:wr0ng@127.0.0.1:{sentinel.Port},127.0.0.1:{sentinel.Port + 1}/mymaster");

        var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint));

        problem.Reason.ShouldBe(ConnectFailure.AuthenticationFailed);
        problem.Message.ShouldNotContain("wr0ng");
    }

    [Theory]
    [InlineData("$-1\r\n")]
    [InlineData("*-1\r\n")]
    [InlineData("_\r\n")]
    public void Service_ThatNoSentinelKnows_IsNamed(string nothing)
    {
        using var sentinel = new FakeSentinel(nothing);
        var endpoint = RedisEndpoint.Parse(
            $"redis+sentinel://127.0.0.1:{FreePort.Next()},127.0.0.1:{sentinel.Port}/mymastr");

        var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint));

        problem.Reason.ShouldBe(ConnectFailure.ServiceUnknown);
        problem.Message.ShouldContain($"no Sentinel knows the service 'mymastr' (asked: 127.0.0.1:{sentinel.Port})");
        problem.IsTransient.ShouldBeFalse();
    }

    [Fact]
    public async Task Sentinel_ThatIsSlow_IsGivenMoreTimeWhereNobodyElseAnswers()
    {
        await using var server = await RedisTest.StartServer();
        var connections = 0;
        using var slow = FakeServer.Start((client, number) =>
        {
            connections = number + 1;
            // Silent on the first connection, as one that waits for its disk.
            if (number == 0)
                FakeServer.Answer(client);
            else
                FakeServer.Answer(client, "-ERR no\r\n", "-ERR no\r\n", FakeSentinel.Naming(server.Port));
        });
        var endpoint = RedisEndpoint.Parse(
            $"redis+sentinel://{slow.Uri["redis://".Length..]},127.0.0.1:{FreePort.Next()}/mymaster");

        new SentinelResolver(endpoint).ResolvePrimary().Port.ShouldBe(server.Port);

        connections.ShouldBe(2);
    }

    public static TheoryData<string, string> Wrong => new()
    {
        { "-ERR unknown command 'SENTINEL'\r\n", "this is no Sentinel" },
        { "-NOPERM no permissions\r\n", "it needs +sentinel" },
        { "+OK\r\n", "the primary's address is OK" },
        { "*1\r\n$1\r\nh\r\n", "the primary's address is" },
        { FakeSentinel.Naming("h", "x"), "'h' 'x'" },
        { FakeSentinel.Naming("h", "0"), "'h' '0'" },
        { FakeSentinel.Naming("h", "65536"), "'h' '65536'" },
        { FakeSentinel.Naming("", "1"), "'' '1'" },
        { "?\r\n", "no RESP type" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Answer_ThatIsWrong_IsExplained(string reply, string expected)
    {
        using var sentinel = new FakeSentinel(reply);

        Should.Throw<RedisConnectException>(() => RedisConnection.Open(sentinel.Endpoint))
            .Message.ShouldContain(expected);
    }

    [Fact]
    public void NoSentinel_IsExplainedForEach()
    {
        var (one, two) = (FreePort.Next(), FreePort.Next());
        var endpoint = RedisEndpoint.Parse(
            $"redis+sentinel://:c4n4ry@127.0.0.1:{one},127.0.0.1:{two}/mymaster?sentinel-password=s3cr3t");

        var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint));

        problem.Reason.ShouldBe(ConnectFailure.Refused);
        problem.Message.ShouldContain($"127.0.0.1:{one}/");
        problem.Message.ShouldContain($"127.0.0.1:{two}/");
        problem.Message.ShouldNotContain("c4n4ry");
        problem.Message.ShouldNotContain("s3cr3t");
    }

    [Fact]
    public void Endpoint_WithoutSentinels_IsAMistake() =>
        Should.Throw<ArgumentException>(() => new SentinelResolver(RedisEndpoint.Parse("redis://host")));
}
