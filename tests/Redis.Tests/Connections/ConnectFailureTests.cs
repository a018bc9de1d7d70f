using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Tests.Connections;

/// <summary>
/// Every way in which a connection fails to open is told apart, names the endpoint and says what helps.
/// </summary>
public sealed class ConnectFailureTests
{
    [Fact]
    public void PortWithoutServer_IsRefused()
    {
        var problem = Fails($"redis://127.0.0.1:{FreePort.Next()}", ConnectFailure.Refused);

        problem.IsTransient.ShouldBeTrue();
        problem.Message.ShouldContain("nobody listens");
    }

    [Fact]
    public void SocketThatIsNotThere_IsRefused() =>
        Fails("unix:/no/such/folder/redis.sock", ConnectFailure.Refused).Message.ShouldContain("socket");

    [Fact]
    public void SocketPath_TooLong_IsUnreachable() =>
        Fails($"unix:/{new string('x', 200)}", ConnectFailure.Unreachable).Message.ShouldContain("longer");

    [Fact]
    public void NameWithoutAddress_IsNotFound() =>
        Fails("redis://no-such-host.invalid", ConnectFailure.NameNotFound)
            .Message.ShouldContain("no-such-host.invalid");

    [Fact]
    public void SilentServer_TimesOut()
    {
        using var server = FakeServer.Answering();

        Fails(server.Uri, ConnectFailure.TimedOut, new() { ConnectTimeout = TimeSpan.FromMilliseconds(100) })
            .Message.ShouldContain("0.1 s");
    }

    [Fact]
    public void ServerThatHangsUp_IsClosed()
    {
        using var server = FakeServer.Saying(string.Empty);

        Fails(server.Uri, ConnectFailure.ClosedByServer).IsTransient.ShouldBeTrue();
    }

    [Fact]
    public void HttpServer_IsNamed()
    {
        using var server = FakeServer.Saying("HTTP/1.1 400 Bad Request\r\n\r\n");

        Fails(server.Uri, ConnectFailure.RefusedByServer).Message.ShouldContain("HTTP");
    }

    [Theory]
    [InlineData("$536870912\r\n")]
    [InlineData("*1000000\r\n")]
    [InlineData("%1\r\n$6\r\nserver\r\n$65537\r\n")]
    public void ReplyToTheLogin_ThatNobodyNeeds_IsRefusedBeforeItComes(string announced)
    {
        using var server = FakeServer.Answering(announced);

        Fails(server.Uri, ConnectFailure.RefusedByServer).Message.ShouldContain("beyond the limit");
    }

    [Fact]
    public void TlsAlert_MeansTls()
    {
        using var server = FakeServer.Saying("\x15\x03\x03\x00\x02\x02\x46");

        Fails(server.Uri, ConnectFailure.PlainAgainstTls).Message.ShouldContain("rediss://");
    }

    [Fact]
    public async Task MissingPassword_IsAskedFor()
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");

        Fails(server.Uri, ConnectFailure.AuthenticationFailed).Message.ShouldContain("wants a password");
        Fails(server.Uri, ConnectFailure.AuthenticationFailed, new() { Protocol = RespPreference.Resp2 })
            .Message.ShouldContain("wants a password");
    }

    [Theory]
    [InlineData(RespPreference.Auto)]
    [InlineData(RespPreference.Resp2)]
    public async Task WrongPassword_IsNotRepeated(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");

        var problem =
            Fails(With(server.Uri, ":c4n4ry"), ConnectFailure.AuthenticationFailed, new() { Protocol = protocol });

        problem.Message.ShouldContain("password is wrong");
        problem.ToString().ShouldNotContain("c4n4ry");
        problem.IsTransient.ShouldBeFalse();
    }

    [Theory]
    [InlineData(RespPreference.Auto)]
    [InlineData(RespPreference.Resp2)]
    public async Task RightPassword_OpensTheConnection(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer("--requirepass", "secret");
        using var connection = RedisConnection.Open(
            RedisEndpoint.Parse(With(server.Uri, ":secret")), new() { Protocol = protocol });

        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Fact]
    public async Task AclUser_LogsIn_AndLearnsWhatItMayNotDo()
    {
        await using var server =
            await RedisTest.StartServer("--user", "alice", "on", ">secret", "~*", "-@all", "+ping");
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(With(server.Uri, "alice:secret")), Patience.Connection))
            connection.Execute("PING").Text.ShouldBe("PONG");

        Fails($"{With(server.Uri, "alice:secret")}/1", ConnectFailure.NotPermitted)
            .Message.ShouldContain("ACL SETUSER alice +select");
        Fails(With(server.Uri, "alice:wrong"), ConnectFailure.AuthenticationFailed);
        Fails(With(server.Uri, "bob:secret"), ConnectFailure.AuthenticationFailed);
    }

    /// <summary>
    /// Servers repeat the arguments of a command that they do not know, cut off after 128 characters.
    /// </summary>
    [Theory]
    [InlineData(
        RespPreference.Resp3,
        "-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `default`, `c4n4ry`, \r\n")]
    [InlineData(RespPreference.Resp2, "-ERR unknown command 'AUTH', with args beginning with: 'c4n4' \r\n")]
    [InlineData(RespPreference.Resp2, "-ERR no such password: c4n4ry\r\n")]
    public void ServerThatRepeatsThePassword_IsNotQuoted(RespPreference protocol, string reply)
    {
        using var server = FakeServer.Answering(reply);
        var endpoint = RedisEndpoint.Parse(With(server.Uri, ":c4n4ry"));

        Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint, new() { Protocol = protocol }))
            .ToString().ShouldNotContain("c4n4");
    }

    [Fact]
    public async Task Database_OutOfRange_IsRefused()
    {
        await using var server = await RedisTest.StartServer();

        Fails($"{server.Uri}/99", ConnectFailure.RefusedByServer).Message.ShouldContain("out of range");
    }

    [Fact]
    public async Task MoreClientsThanAllowed_AreRefused()
    {
        await using var server = await RedisTest.StartServer("--maxclients", "10");
        var clients = Enumerable.Range(0, 10)
            .Select(_ => RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection)).ToList();

        for (var i = 0; i < 20; i++)
            Fails(server.Uri, ConnectFailure.RefusedByServer).Message.ShouldContain("maxclients");
        clients.ForEach(client => client.Dispose());
    }

    [Fact]
    public void ProtectedMode_IsExplained()
    {
        using var server = FakeServer.Saying("-DENIED Redis is running in protected mode because ...\r\n");

        Fails(server.Uri, ConnectFailure.RefusedByServer).Message.ShouldContain("protected-mode");
    }

    [Theory]
    [InlineData("-LOADING Redis is loading the dataset in memory\r\n", "LOADING")]
    [InlineData("-MASTERDOWN Link with MASTER is down\r\n", "MASTERDOWN")]
    public void ServerNotReadyYet_IsItsOwnTransientError(string reply, string code)
    {
        using var server = FakeServer.Answering(reply);

        var problem = Should.Throw<RedisServerException>(() => RedisConnection.Open(RedisEndpoint.Parse(server.Uri)));

        problem.Code.ShouldBe(code);
        problem.IsTransient.ShouldBeTrue();
    }

    private static string With(string uri, string login) => uri.Replace("//", $"//{login}@", StringComparison.Ordinal);

    private static RedisConnectException Fails(
        string endpoint, ConnectFailure reason, RedisConnectionOptions? options = null)
    {
        var parsed = RedisEndpoint.Parse(endpoint);
        var problem = Should.Throw<RedisConnectException>(() => RedisConnection.Open(parsed, options).Dispose());
        problem.Reason.ShouldBe(reason, problem.Message);
        problem.Message.ShouldStartWith(parsed.ToString());
        return problem;
    }
}
