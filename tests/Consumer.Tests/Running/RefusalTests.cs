using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Consumer.Tests.Running;

public sealed class RefusalTests
{
    [Fact]
    public async Task NoEndpoint_EndsWith2AndTheLineToType()
    {
        await using var consumer = ConsumerTest.Start();

        (await consumer.End()).ShouldBe(2);

        consumer.Errors.Lines[0].ShouldEndWith($"{BuiltProgram.TypedFor("Consumer")} 127.0.0.1:6379");
        consumer.Output.Lines.ShouldBeEmpty();
    }

    [Fact]
    public async Task TwoEndpoints_EndWith2()
    {
        await using var consumer = ConsumerTest.Start("--redis", "redis://a", "--redis", "redis://b");

        (await consumer.End()).ShouldBe(2);

        consumer.Errors.Lines[0].ShouldStartWith("--redis: the Consumer serves on one server");
    }

    [Theory]
    [InlineData("--channel", "x", "--reply-channel", "x")]
    [InlineData("--channel", "redislatency:default:pong")]
    [InlineData("--channel", "x:1", "--reply-channel", "x", "--streams", "2")]
    public async Task ChannelThatItWouldAnswerItselfOn_EndsWith2(params string[] arguments)
    {
        await using var consumer = ConsumerTest.Start(["--redis", "redis://127.0.0.1:1", .. arguments]);

        (await consumer.End()).ShouldBe(2);

        consumer.Errors.Lines[0].ShouldContain("plain counts would go around forever");
    }

    [Fact]
    public async Task TwoWithCrossedChannels_OneEndsWith3AndSaysWhy()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var first = await ConsumerTest.Serve(server, "--channel", "here", "--reply-channel", "there");
        await using var second = await ConsumerTest.Serve(server, "--channel", "there", "--reply-channel", "here");
        using var producer = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);

        producer.Execute("PUBLISH", "here", "1");

        var ended = await Task.WhenAny(EndOf(first), EndOf(second));
        (await ended).ExitCode.ShouldBe(3, $"{first}\n{second}");
        (await ended).Consumer.Errors.ToString().ShouldContain(
            "another Consumer answers them there. Give all Consumers of a run the same --channel and --reply-channel.");
        (await ended).Consumer.ToString().ShouldNotContain("   at ");

        static async Task<(ServiceProcess Consumer, int ExitCode)> EndOf(ServiceProcess consumer) =>
            (consumer, await consumer.End());
    }

    [Theory]
    [InlineData]
    [InlineData("check")]
    public async Task NobodyListening_EndsWith3(params string[] verb)
    {
        var port = FreePort.Next();
        await using var consumer = ConsumerTest.Start([.. verb, "--redis", $"redis://127.0.0.1:{port}"]);

        (await consumer.End()).ShouldBe(3);

        consumer.ToString().ShouldContain($"127.0.0.1:{port}");
        Directory.Exists(Path.Combine(consumer.Folder, "results")).ShouldBeFalse();
    }

    [Fact]
    public async Task WrongPassword_EndsWith3AndIsNotRepeated()
    {
        await using var server = await ConsumerTest.StartServer("--requirepass", "right");
        await using var consumer = ConsumerTest.Start("--redis", $"redis://:wr0ng@127.0.0.1:{server.Port}");

        (await consumer.End()).ShouldBe(3);

        consumer.Errors.ToString().ShouldContain("WRONGPASS");
        consumer.ToString().ShouldNotContain("wr0ng");
    }

    [Theory]
    [InlineData]
    [InlineData("check")]
    public async Task MissingChannelRight_EndsWith3AndTheLineThatGivesIt(params string[] verb)
    {
        await using var server = await ConsumerTest.StartServer(
            "--user", "someone", "on", ">pw", "resetchannels", "&redislatency:default:ping", "~*", "+@all");
        await using var consumer = ConsumerTest.Start(
            [.. verb, "--redis", $"redis://someone:pw@127.0.0.1:{server.Port}"]);

        (await consumer.End()).ShouldBe(3);

        consumer.ToString().ShouldContain("ACL SETUSER someone &redislatency:default:pong");
    }

    [Fact]
    public async Task Check_OfAServerThatWouldDo_MeasuresNothing()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = ConsumerTest.Start("check", "--redis", server.Uri);

        (await consumer.End()).ShouldBe(0);

        consumer.Output.Lines[^1].ShouldBe("RESULT role=consumer check=ok exit=0");
        consumer.Output.Lines.ShouldContain("ok    user default may publish and subscribe");
        Directory.Exists(Path.Combine(consumer.Folder, "results")).ShouldBeFalse();
    }

    [Fact]
    public async Task Help_BeginsWithThreeExamples()
    {
        await using var consumer = ConsumerTest.Start("--help");

        (await consumer.End()).ShouldBe(0);

        consumer.Output.Lines.TakeWhile(line => !line.StartsWith("Usage:", StringComparison.Ordinal))
            .Count(line => line.StartsWith($"  {BuiltProgram.TypedFor("Consumer")} ", StringComparison.Ordinal))
            .ShouldBe(3);
    }
}
