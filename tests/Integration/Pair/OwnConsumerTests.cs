using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Pair;

/// <summary>Where no Consumer answers, the Producer brings one, and says so everywhere.</summary>
public class OwnConsumerTests : PairTest
{
    private static readonly string[] Short = ["--rate", "1000", "--iterations", "500", "--warmup", "0"];

    [Theory]
    [InlineData("frame", "raw")]
    [InlineData("counter", "raw")]
    [InlineData("frame", "stackexchange")]
    public async Task Run_WithoutAConsumer_IsAnsweredByItsOwn_AndSaysSo(string payload, string driver)
    {
        var producer = await RunProducer([.. Short, "--payload", payload, "--driver", driver]);

        var run = SavedRun.Of(producer);
        run.Count(Counted.Returned).ShouldBe(500, producer.ToString());
        run.Count(Counted.Duplicated).ShouldBe(0);
        run.Record.Summaries.ShouldHaveSingleItem().Peers.ShouldBe(["in-process"]);
        run.Record.Targets.ShouldHaveSingleItem().Name.ShouldBe(Server.Uri["redis://".Length..]);
        producer.Errors.ToString().ShouldContain("One in this process does.");
        producer.Output.ToString().ShouldContain("no Consumer answered, so one in this process does");
    }

    [Fact]
    public async Task Run_WithStreams_IsAnsweredOnEach()
    {
        (await Measure([.. Short, "--streams", "3"])).Count(Counted.Returned).ShouldBe(500);
    }

    [Fact]
    public async Task AConsumerThatIsThere_Answers()
    {
        await StartConsumer("--instance", "there");

        var producer = await RunProducer(Short);

        SavedRun.Of(producer).Record.Summaries[0].Peers.ShouldBe(["there"]);
        producer.Output.ToString().ShouldNotContain("in this process does");
    }

    // The Consumer tells of itself that it echoes: by then its echoes come back too.
    [Fact]
    public async Task AConsumerThatComesLater_IsNotCountedTwice()
    {
        var producer = StartProducer("--rate", "500", "--duration", "10m", "--warmup", "0", "--live", "plain");
        await producer.Errors.WaitFor(" measure ");

        var consumer = await StartConsumer("--live", "plain");
        await consumer.Errors.WaitFor(" measure ");
        await producer.EndBy("INT");

        var run = SavedRun.Of(producer);
        run.Count(Counted.Foreign)!.Value.ShouldBeGreaterThan(0, producer.ToString());
        run.Count(Counted.Owed).ShouldBe(run.Count(Counted.Sent));
        run.Count(Counted.Returned)!.Value.ShouldBeLessThanOrEqualTo(run.Count(Counted.Sent)!.Value);
        run.Count(Counted.Duplicated).ShouldBe(0);
        run.Record.Summaries[0].Peers.ShouldBe(["in-process"]);
        run.Record.Verdict.Reasons.ShouldContain(
            reason => reason.Contains("a Consumer that came later sent ", StringComparison.Ordinal));
    }

    // Each answers its own Producer only, or the second would lose its Consumer with the first.
    [Fact]
    public async Task TwoProducers_BringOneEach()
    {
        var first = StartProducer("--instance", "first", "--rate", "500", "--duration", "10m", "--live", "plain");
        await first.Errors.WaitFor(" measure ");

        var second = await RunProducer([.. Short, "--instance", "second"]);

        second.Errors.ToString().ShouldContain("One in this process does.");
        SavedRun.Of(second).Count(Counted.Returned).ShouldBe(500);
        (await first.EndBy("INT")).ShouldBe(130, first.ToString());
    }

    [Fact]
    public async Task TwoServers_OfWhichOneHasAConsumer_AreNotCompared()
    {
        var other = await StartServer();
        await StartConsumer();

        var producer = await RunProducer(["--redis", other.Uri, .. Short]);

        (await producer.End()).ShouldBe(3, producer.ToString());
        producer.Errors.ToString().ShouldContain("Start one: ");
        SavedRun.FoldersOf(producer).ShouldBeEmpty();
    }

    [Fact]
    public async Task TwoServersWithoutAConsumer_AreCompared()
    {
        var other = await StartServer();

        var run = await Measure(["--redis", other.Uri, .. Short]);

        run.Record.Summaries.ShouldAllBe(summary => summary.Peers.Single() == "in-process"
            && summary.Count(Counted.Returned) == 500);
    }

    [Fact]
    public async Task AUserWithTheRightsOfAProducer_IsEnough()
    {
        using (var control = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection))
        {
            control.Execute(
                "ACL", "SETUSER", "limited", "on", ">word", "resetchannels", "&redislatency:default:ping",
                "&redislatency:default:pong", "+publish", "+subscribe", "+unsubscribe", "+ping", "+hello");
        }

        var producer = Own(ServiceProcess.Start(
            "Producer", [$"redis://limited:word@127.0.0.1:{Server.Port}", .. Short]));

        await producer.End();
        SavedRun.Of(producer).Count(Counted.Returned).ShouldBe(500, producer.ToString());
        producer.ToString().ShouldNotContain("word@");
    }

    [Fact]
    public async Task ACluster_IsAnsweredToo()
    {
        await using var cluster = await RedisClusterProcesses.Start();

        var producer = Own(ServiceProcess.Start("Producer", [cluster.Uri, .. Short]));

        await producer.End();
        SavedRun.Of(producer).Count(Counted.Returned).ShouldBe(500, producer.ToString());
    }

    [Fact]
    public async Task Sentinels_NameAPrimaryThatIsAnsweredToo()
    {
        await using var service = await SentinelProcesses.Start(new());

        var producer = Own(ServiceProcess.Start("Producer", [service.Uri(), .. Short]));

        await producer.End();
        SavedRun.Of(producer).Count(Counted.Returned).ShouldBe(500, producer.ToString());
    }

    [Fact]
    public async Task Tls_IsAnsweredToo()
    {
        using var authority = new TestAuthority();
        var port = FreePort.Next();
        var (certificate, key) = authority.Sign("cache.example", forLoopback: true);
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--tls-port", $"{port}", "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no");

        var producer = Own(ServiceProcess.Start(
            "Producer", [$"rediss://127.0.0.1:{port}", "--tls-ca", authority.CaFile, .. Short]));

        await producer.End();
        SavedRun.Of(producer).Count(Counted.Returned).ShouldBe(500, producer.ToString());
    }

    [Theory]
    [InlineData("--consumer", "required", "--peer-timeout", "1s")]
    [InlineData("--peer-timeout", "1s")]
    [InlineData("--peer-timeout", "1s", "--probe", "udp://127.0.0.1:1")]
    public async Task AConsumerThatIsRequired_IsNotReplaced(params string[] options)
    {
        var producer = await RunProducer([.. Short, .. options]);

        (await producer.End()).ShouldBe(3, producer.ToString());
        producer.Errors.ToString().ShouldContain("Start one: ");
    }
}
