using RedisLatency.Fixtures;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Probing;
using RedisLatency.Reports.Records;

namespace RedisLatency.Consumer.Tests.Probing;

public sealed class ProbeTests
{
    private const string AnyPort = "udp://127.0.0.1:0";

    [Theory]
    [InlineData("udp")]
    [InlineData("redis")]
    public async Task AnotherProcess_OnTheSameClock_HoldsZeroInEveryInterval(string lane)
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--probe", AnyPort);
        var found = await Find(server);

        var probes = await ProbingPeer.Ask(found, RouteOf(lane, found, server), 40);

        ShouldHold(probes, 0);
        found.Content!.Clock!.ClaimsSameClock(ClockIdentity.Read()).ShouldBeTrue();
        (await consumer.EndBy("TERM")).ShouldBe(143);
        var record = ConsumerTest.RecordOf(consumer);
        var service = ServiceOf(record.ProbeServices, lane);
        service.Answered.ShouldBeGreaterThanOrEqualTo(40);
        service.Problem.ShouldBeNull();
        record.Clock!.Kind.ShouldBe("host");
        record.Clock.Claims.ShouldContain(claim => claim.Source == "kernel");
        consumer.Errors.ToString().ShouldContain("Answering clock probes at udp://127.0.0.1:");
        consumer.Output.ToString().ShouldContain("clock probes at udp://127.0.0.1:");
    }

    [Theory]
    [InlineData("udp")]
    [InlineData("redis")]
    public async Task ProcessInAnotherTimeNamespace_HoldsItsOffsetInEveryInterval(string lane)
    {
        const long Offset = 100_000_000_000;
        ServerRequirement.RequireTimeNamespaces();
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = ServiceProcess.StartAhead(
            100, "Consumer", "--redis", server.Uri, "--probe", AnyPort);
        await consumer.Errors.WaitFor("Answering clock probes");
        var found = await Find(server);

        var probes = await ProbingPeer.Ask(found, RouteOf(lane, found, server), 40);

        ShouldHold(probes, Offset);
        found.Content!.Clock!.ClaimsSameClock(ClockIdentity.Read()).ShouldBeFalse();
    }

    [Fact]
    public async Task Key_IsInNoResultAndNoOutput()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(
            server, "--probe", AnyPort, "--verbose", "true", "--format", "json");
        var found = await Find(server);
        await ProbingPeer.Ask(found, ProbingPeer.Udp(found), 10);
        await consumer.EndBy("TERM");

        var key = found.Content!.Probe!.Key;
        key.Length.ShouldBe(44);
        // JSON writes the plus signs of base64 in another way.
        foreach (var form in (string[])[key, key.Replace("+", "\\u002B", StringComparison.Ordinal)])
        {
            consumer.ToString().ShouldNotContain(form);
            foreach (var file in Directory.EnumerateFiles(consumer.Folder, "*", SearchOption.AllDirectories))
                (await File.ReadAllTextAsync(file, ConsumerTest.Cancellation)).ShouldNotContain(form);
        }
    }

    [Fact]
    public async Task TwoConsumers_HaveKeysOfTheirOwn()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var first = await ConsumerTest.Serve(server);
        var one = (await Find(server)).Content!.Probe!.Key;
        await first.EndBy("TERM");
        await using var second = await ConsumerTest.Serve(server);

        (await Find(server)).Content!.Probe!.Key.ShouldNotBe(one);
    }

    [Fact]
    public async Task Off_OffersAndAnswersNothing()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--probe", "off");

        var found = await Find(server);

        found.Content!.Probe.ShouldBeNull();
        found.Content.Clock.ShouldNotBeNull();
        await consumer.EndBy("TERM");
        ConsumerTest.RecordOf(consumer).ProbeServices.ShouldBeEmpty();
    }

    [Fact]
    public async Task PortThatIsTaken_EndsWith3AndSaysWhy()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--probe", AnyPort);
        var taken = (await Find(server)).Content!.Probe!.Udp!;

        await using var second = ConsumerTest.Start("--redis", server.Uri, "--probe", taken);
        await using var check = ConsumerTest.Start("check", "--redis", server.Uri, "--probe", taken);

        (await second.End()).ShouldBe(3, $"{second}");
        second.Errors.ToString().ShouldContain($"--probe {taken}: cannot listen there: ");
        (await check.End()).ShouldBe(3, $"{check}");
        check.Output.ToString().ShouldContain($"FAIL  --probe {taken}: cannot listen there: ");
    }

    [Theory]
    [InlineData("udp://10.0.0.5")]
    [InlineData("tcp://10.0.0.5:7100")]
    [InlineData("yes")]
    public async Task ProbeOption_ThatIsNone_EndsWith2(string value)
    {
        await using var consumer = ConsumerTest.Start("--redis", "redis://127.0.0.1:1", "--probe", value);

        (await consumer.End()).ShouldBe(2);

        consumer.Errors.Lines[0].ShouldContain("udp://ADDRESS:PORT");
    }

    [Fact]
    public async Task MissingRight_LeavesTheRunValidAndSaysTheLineThatGivesIt()
    {
        await using var server = await ConsumerTest.StartServer(
            "--user", "someone", "on", ">pw", "resetchannels", "&redislatency:default:ping",
            "&redislatency:default:pong", "~*", "+@all");
        await using var consumer = ConsumerTest.Start(
            "--redis", $"redis://someone:pw@127.0.0.1:{server.Port}", "--probe", AnyPort);
        await consumer.Errors.WaitFor("Serving ");

        var offer = (await Find(server)).Content!.Probe!;

        offer.Redis.ShouldBeFalse();
        offer.Udp.ShouldNotBeNull();
        (await consumer.EndBy("TERM")).ShouldBe(143);
        const string Line = "ACL SETUSER someone &redislatency:default:probe-reply &redislatency:default:probe";
        consumer.Errors.ToString().ShouldContain(Line);
        var record = ConsumerTest.RecordOf(consumer);
        record.Verdict.IsMeasured.ShouldBeTrue();
        ServiceOf(record.ProbeServices, "redis").Problem!.ShouldContain(Line);
    }

    [Fact]
    public async Task SyntheticClock_IsSaidAndNeverValid()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = ServiceProcess.Start(
            "Consumer",
            new Dictionary<string, string> { ["REDISLATENCY_CLOCK"] = "offset=12.3ms" },
            "--redis", server.Uri, "--duration", "50ms");

        (await consumer.End()).ShouldBe(4, $"{consumer}");

        var record = ConsumerTest.RecordOf(consumer);
        record.Clock!.Kind.ShouldBe("synthetic");
        record.Verdict.IsMeasured.ShouldBeFalse();
        consumer.Output.ToString().ShouldContain("clock: synthetic");
    }

    private static Task<PresentConsumer> Find(RedisServerProcess server) =>
        Task.Run(() => ProbingPeer.Find(server), ConsumerTest.Cancellation);

    private static ProbeRoute RouteOf(
        string lane, PresentConsumer found, RedisServerProcess server) =>
        lane == "udp" ? ProbingPeer.Udp(found) : ProbingPeer.Redis(server);

    private static ProbeService ServiceOf(IReadOnlyList<ProbeService> services, string lane) =>
        services.Where(service => service.Lane == lane).ShouldHaveSingleItem();

    private static void ShouldHold(List<ExchangedProbe> probes, long offset)
    {
        foreach (var probe in probes.Select(taken => taken.Probe))
        {
            offset.ShouldBeInRange(
                probe.EchoedNs - probe.ReturnedNs,
                probe.ReceivedNs - probe.SentNs,
                probe.ToString());
        }
    }
}
