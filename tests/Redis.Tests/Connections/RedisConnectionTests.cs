using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Connections;

public sealed class RedisConnectionTests
{
    [Theory]
    [InlineData(RespPreference.Auto, 3)]
    [InlineData(RespPreference.Resp2, 2)]
    public async Task Connection_ToServer_ExecutesCommands(RespPreference protocol, int spoken)
    {
        await using var server = await RedisTest.StartServer();
        using var connection = Open($"{server.Uri}/3", new() { Protocol = protocol, ClientName = "me" });

        connection.Protocol.ShouldBe(spoken);
        connection.Execute("SET", "k", "v").Text.ShouldBe("OK");
        connection.Execute("GET", "k").Text.ShouldBe("v");
        connection.Execute("GET", "none").IsNull.ShouldBeTrue();
        connection.Execute("CLIENT", "GETNAME").Text.ShouldBe("me");
        connection.Execute("CLIENT", "INFO").Text.ShouldContain("db=3");
        Should.Throw<RedisServerException>(() => connection.Execute("NOSUCH")).Code.ShouldBe("ERR");
        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Fact]
    public async Task Connection_ToValkey_SpeaksResp3()
    {
        ServerRequirement.Require("valkey-server");
        await using var server = await Fixtures.RedisServerProcess.Start("valkey-server");
        using var connection = Open(server.Uri);

        connection.Protocol.ShouldBe(3);
        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Fact]
    public async Task UnixSocket_IsSpokenTo()
    {
        await using var server = await RedisTest.StartServer();
        using var connection = Open($"unix:{server.SocketPath}?db=1");

        connection.Execute("PING").Text.ShouldBe("PONG");
        connection.TransportDescription.ShouldStartWith("unix");
    }

    [Theory]
    [InlineData(RespPreference.Auto)]
    [InlineData(RespPreference.Resp2)]
    public async Task User_WithoutAPassword_LogsInAsThatUser_OrIsRefused(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer();
        using (var setUp = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection))
        {
            setUp.Execute("ACL", "SETUSER", "open", "on", "nopass", "~*", "+@all");
            setUp.Execute("ACL", "SETUSER", "closed", "on", ">secret", "~*", "+@all");
        }

        var options = new RedisConnectionOptions { Protocol = protocol };
        var endpoint = RedisEndpoint.Parse(server.Uri);
        using var connection = RedisConnection.Open(endpoint with { User = "open" }, options);

        connection.Execute("ACL", "WHOAMI").Text.ShouldBe("open");
        Should.Throw<RedisConnectException>(() => RedisConnection.Open(endpoint with { User = "closed" }, options))
            .Reason.ShouldBe(ConnectFailure.AuthenticationFailed);
    }

    [Fact]
    public async Task Host_WithSeveralAddresses_IsReachedByTheOneThatAnswers()
    {
        // The server listens on 127.0.0.1 only; localhost usually has ::1 too.
        await using var server = await RedisTest.StartServer();
        using var connection = Open($"localhost:{server.Port}");

        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Fact]
    public void Hello_UnknownToServer_FallsBackToAuthAndResp2()
    {
        using var server = FakeServer.Answering("-ERR unknown command 'HELLO'\r\n", "+OK\r\n", "+OK\r\n", "+PONG\r\n");
        using var connection = Open(server.Uri.Replace("//", "//:secret@"));

        connection.Protocol.ShouldBe(2);
        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Theory]
    [InlineData("-NOPROTO unsupported protocol version\r\n")]
    [InlineData("-NOPERM this user has no permissions to run the 'hello' command\r\n")]
    public void Hello_Refused_FallsBackToResp2_UnlessResp3WasAskedFor(string reply)
    {
        using var server = FakeServer.Answering(reply, "+OK\r\n");
        using (var connection = Open(server.Uri))
            connection.Protocol.ShouldBe(2);

        Should.Throw<RedisConnectException>(() => Open(server.Uri, new() { Protocol = RespPreference.Resp3 }))
            .Message.ShouldContain("RESP3");
    }

    [Fact]
    public void Reply_InSingleBytes_IsReadWhole()
    {
        using var server = FakeServer.Start((client, _) =>
        {
            client.NoDelay = true;
            foreach (var reply in (string[])["-ERR unknown command\r\n", "+OK\r\n", "*2\r\n$3\r\nabc\r\n:12\r\n"])
            {
                FakeServer.Await(client);
                foreach (var one in reply)
                    FakeServer.Say(client, one.ToString());
            }

            FakeServer.Await(client);
        });
        using var connection = Open(server.Uri);

        connection.Execute("ANYTHING").ToString().ShouldBe("[abc, 12]");
    }

    [Fact]
    public void Pushes_BetweenReplies_AreNotTakenForReplies()
    {
        using var server = FakeServer.Answering(
            "%1\r\n+proto\r\n:3\r\n", "+OK\r\n", ">2\r\n+invalidate\r\n*1\r\n+k\r\n+PONG\r\n");
        using var connection = Open(server.Uri);

        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Fact]
    public async Task Reply_ThatDoesNotCome_TimesOut_AndEndsTheConnection()
    {
        await using var server = await RedisTest.StartServer();
        using var connection = Open(server.Uri, new() { CommandTimeout = TimeSpan.FromMilliseconds(50) });
        server.Pause();

        Should.Throw<RedisTimeoutException>(() => connection.Execute("PING")).IsTransient.ShouldBeTrue();
        server.Resume();
        Should.Throw<RedisConnectionLostException>(() => connection.Execute("PING"));
    }

    [Fact]
    public async Task Server_Killed_IsALostConnection()
    {
        await using var server = await RedisTest.StartServer();
        using var connection = Open(server.Uri);
        await server.Kill();

        Should.Throw<RedisConnectionLostException>(() => connection.Execute("PING")).IsTransient.ShouldBeTrue();
    }

    [Fact]
    public void Connection_EndingInsideAReply_SaysSo()
    {
        using var server = FakeServer.Start((client, _) =>
            FakeServer.AnswerOnce(client, "-ERR unknown command\r\n", "+OK\r\n", "$10\r\nhalf"));
        using var connection = Open(server.Uri);

        Should.Throw<RedisConnectionLostException>(() => connection.Execute("GET", "k"))
            .Message.ShouldContain("in the middle of a reply");
    }

    [Fact]
    public void Garbage_InAReply_IsAProtocolError()
    {
        using var server = FakeServer.Answering("-ERR unknown command\r\n", "+OK\r\n", "$-7\r\n");
        using var connection = Open(server.Uri);

        Should.Throw<RedisProtocolException>(() => connection.Execute("GET", "k"));
    }

    [Fact]
    public async Task LargeValues_GoBothWays()
    {
        await using var server = await RedisTest.StartServer();
        using var connection = Open(server.Uri);
        var value = new string('x', 8 << 20);

        connection.Execute("SET", "k", value);
        connection.Request(RespLimits.Default, "GET", "k").Content.SequenceEqual(Encoding.ASCII.GetBytes(value)).ShouldBeTrue();
    }

    private static RedisConnection Open(string endpoint, RedisConnectionOptions? options = null) =>
        RedisConnection.Open(RedisEndpoint.Parse(endpoint), options);
}
