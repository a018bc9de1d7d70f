using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Integration.BadInput;

/// <summary>A server that cannot be used ends both services with 3: why, where, and what would be right.</summary>
public sealed class ConnectTests
{
    [Theory]
    [InlineData("redis://no-such-host.invalid:6379", "the name 'no-such-host.invalid' has no address")]
    [InlineData("redis://127.0.0.1:1", "redis://127.0.0.1:1/0: nobody listens there (connection refused)")]
    [InlineData("unix:/no/such/redis.sock", "/no/such/redis.sock: there is no such socket")]
    public async Task Server_ThatIsNotThere_EndsWith3(string endpoint, string part)
    {
        foreach (var driver in (string[])["raw", "stackexchange"])
            await BothAreRefused([part], "--redis", endpoint, "--driver", driver);
        var check = await Outcome.Of("Producer", "check", "--redis", endpoint);
        check.ExitCode.ShouldBe(3, check.ToString());
        check.Output.ShouldContain($"FAIL  {endpoint[..5]}", Case.Sensitive, check.ToString());
        check.Output.ShouldContain(part, Case.Sensitive, check.ToString());
    }

    [Theory]
    [InlineData("-LOADING Redis is loading the dataset in memory\r\n", "the server is still loading its data")]
    [InlineData("-MASTERDOWN Link with MASTER is down\r\n", "the server is not ready yet; try again")]
    [InlineData("-ERR max number of clients reached\r\n", "as many clients as its 'maxclients' allows")]
    [InlineData("-DENIED Redis is running in protected mode because …\r\n", "the server is in protected mode")]
    [InlineData("-NOAUTH Authentication required.\r\n", "the server wants a password", "REDISCLI_AUTH")]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "redis://127.0.0.1")]
    public async Task Server_ThatRefuses_EndsWith3AndSaysWhatHelps(string answer, params string[] parts)
    {
        using var server = FakeServer.Answering(answer);
        await BothAreRefused([server.Uri, .. parts], "--redis", server.Uri);
    }

    [Fact]
    public async Task Server_ThatHangsUp_EndsWith3()
    {
        using var server = FakeServer.Start((_, _) => { });
        await BothAreRefused(
            [server.Uri, "closed the connection before it answered; is it Redis that listens there?"],
            "--redis", server.Uri);
    }

    [Fact]
    public async Task Server_ThatIsSilent_EndsWith3AfterTheConnectTimeout()
    {
        using var server = FakeServer.Answering();
        await BothAreRefused(
            [server.Uri, "0.3 s were not enough to log in"], "--redis", server.Uri, "--connect-timeout", "300ms");
    }

    [Fact]
    public async Task Password_MissingOrWrong_EndsWith3AndIsNotShown()
    {
        await using var server = await StartServer("--requirepass", "right");
        var port = server.Port.ToString(CultureInfo.InvariantCulture);

        await BothAreRefused(["the server wants a password", "--password-file"], "--redis", server.Uri);
        await BothAreRefused(
            ["the user or the password is wrong", $":***@127.0.0.1:{port}"],
            "--redis", $"redis://:c4nary@127.0.0.1:{port}");
        await BothAreRefused(
            ["the user or the password is wrong"],
            "--redis", $"127.0.0.1:{port},password=c4nary,user=nobody", "--driver", "stackexchange");
    }

    [Theory]
    [InlineData("-publish", "lacks the command PUBLISH", "ACL SETUSER limited +publish", "Producer")]
    [InlineData("-subscribe", "lacks the command SUBSCRIBE", "ACL SETUSER limited +subscribe", "Producer")]
    [InlineData("resetchannels", "lacks the channel 'redislatency:default:ping' to publish",
        "ACL SETUSER limited &redislatency:default:ping &redislatency:default:pong", "Producer")]
    [InlineData("-publish", "lacks the command PUBLISH", "ACL SETUSER limited +publish", "Consumer")]
    [InlineData("resetchannels", "lacks the channel 'redislatency:default:pong' to publish",
        "ACL SETUSER limited &redislatency:default:pong &redislatency:default:ping", "Consumer")]
    public async Task Right_ThatIsMissing_EndsWith3WithTheLineThatGivesIt(
        string rule, string what, string line, string project)
    {
        await using var server = await StartServer();
        using (var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection))
            control.Execute("ACL", "SETUSER", "limited", "on", ">word", "~*", "&*", "+@all", rule);
        var endpoint = $"redis://limited:word@127.0.0.1:{server.Port.ToString(CultureInfo.InvariantCulture)}";

        (await Outcome.Of(project, "--redis", endpoint)).ShouldBeRefused(3, $"user 'limited' {what}", line);
        var check = await Outcome.Of(project, "check", "--redis", endpoint);
        check.ExitCode.ShouldBe(3, check.ToString());
        check.Output.ShouldContain(line, Case.Sensitive, check.ToString());
    }

    [Fact]
    public async Task Consumer_ThatIsNotThere_EndsTheProducerWith3AndTheLineToType()
    {
        await using var server = await StartServer("--requirepass", "c4nary");
        var endpoint = server.Uri.Replace("//", "//:c4nary@", StringComparison.Ordinal);

        var outcome = await Outcome.Of(
            "Producer", "--redis", endpoint, "--run", "alone", "--peer-timeout", "300ms");

        outcome.ShouldBeRefused(
            3, "No consumer answers on redislatency:alone:ping", $"{BuiltProgram.TypedFor("Consumer")} --redis", "--run alone");
        outcome.ToString().ShouldNotContain("c4nary");
    }

    [Fact]
    public async Task SubscriberThatIsNoConsumer_IsNamedByTheProducer()
    {
        await using var server = await StartServer();
        using var subscriber = RawLane.Open(
            RedisEndpoint.Parse(server.Uri),
            Patience.Connection,
            new LaneOptions { SubscribeChannels = ["redislatency:alone:ping"] });

        (await Outcome.Of("Producer", "--redis", server.Uri, "--run", "alone", "--peer-timeout", "300ms"))
            .ShouldBeRefused(
                3, "No consumer answers on redislatency:alone:ping", "1 subscriber heard the question",
                "a Consumer of another version");
    }

    private static Task<RedisServerProcess> StartServer(params string[] arguments) =>
        RedisServerProcess.Start("redis-server", arguments);

    private static async Task BothAreRefused(string[] parts, params string[] arguments)
    {
        foreach (var project in (string[])["Producer", "Consumer"])
        {
            var outcome = await Outcome.Of(project, arguments);
            outcome.ShouldBeRefused(3, parts);
            outcome.ToString().ShouldNotContain("c4nary");
        }
    }
}
