using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Peers.Tests.Probing;

public sealed class RedisExchangeTests
{
    private const string RunName = "nightly";

    [Fact]
    public async Task Exchange_ThroughRedis_HoldsZeroInEveryInterval()
    {
        await using var server = await StartServer();
        using var responder = Responder(server);
        using var exchange = Exchange(server);

        var probes = await SampleProbes.Take(exchange, 40);

        foreach (var probe in probes.Select(taken => taken.Probe))
        {
            (probe.EchoedNs - probe.ReturnedNs).ShouldBeLessThanOrEqualTo(0);
            (probe.ReceivedNs - probe.SentNs).ShouldBeGreaterThanOrEqualTo(0);
        }

        exchange.Problem.ShouldBeNull();
        exchange.Route.IsUdp.ShouldBeFalse();
    }

    [Fact]
    public async Task TwoAnswerersOnOneChannel_EachAnswerWhatIsAskedOfThem()
    {
        await using var server = await StartServer();
        using var asked = Responder(server);
        using var other = Responder(server, SampleProbes.Answerer + 1);
        using var exchange = Exchange(server);

        await SampleProbes.Take(exchange, 20);
        await SampleProbes.Until(() => other.Counts.ForAnother >= 20, () => "the channel is not shared");

        other.Counts.Answered.ShouldBe(0);
        other.Counts.Refused.ShouldBe(0);
        exchange.Counts.Unauthenticated.ShouldBe(0);
    }

    [Fact]
    public async Task ServerKilledAndStartedAgain_CarriesProbesAgain()
    {
        await using var server = await StartServer();
        using var responder = Responder(server);
        using var exchange = Exchange(server);
        await SampleProbes.Take(exchange, 10);

        await server.Kill();
        await SampleProbes.Until(() => exchange.Counts.Unsent > 0, () => "the loss was not noticed");
        var before = exchange.Counts.Answered;
        await server.Restart();

        await SampleProbes.Until(() => exchange.Counts.Answered > before + 20, () => $"{exchange.Problem}");
    }

    [Fact]
    public async Task MissingRight_IsAReasonAndNoFailure()
    {
        await using var server = await StartServer();
        await SetUser(server, "on", ">geheim", "+@all", "~*", $"&{ProbeChannels.Questions(RunName)}");
        using var responder = Responder(server);
        using var exchange = Exchange(server, "probing:geheim@");

        await SampleProbes.Until(() => exchange.Problem is not null, () => "nothing was said");

        exchange.Problem!.ShouldContain("carries no probes");
        exchange.Problem!.ShouldContain("NOPERM");
        exchange.Problem!.ShouldNotContain("geheim");
        exchange.Counts.Answered.ShouldBe(0);
    }

    [Fact]
    public async Task MissingRightToPublish_IsAReasonAndNoFailure()
    {
        await using var server = await StartServer();
        await SetUser(server, "on", ">geheim", "+@all", "~*", $"&{ProbeChannels.Answers(RunName)}");
        using var exchange = Exchange(server, "probing:geheim@");

        await SampleProbes.Until(() => exchange.Problem is not null, () => "nothing was said");

        exchange.Problem!.ShouldContain("NOPERM");
    }

    [Fact]
    public async Task BothChannels_AreRightsEnough()
    {
        await using var server = await StartServer();
        await SetUser(
            server, "on", ">geheim", "-@all", "+publish", "+subscribe", "+client|setname", "+hello",
            $"&{ProbeChannels.Questions(RunName)}", $"&{ProbeChannels.Answers(RunName)}");
        using var responder = Responder(server, user: "probing:geheim@");
        using var exchange = Exchange(server, "probing:geheim@");

        await SampleProbes.Take(exchange, 10);
    }

    [Fact]
    public async Task BlockedUdp_FallsBackToRedis()
    {
        await using var server = await StartServer();
        using var responder = Responder(server);
        using var blocked = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)blocked.Client.LocalEndPoint!).Port;
        using var exchange = new ProbeExchange(
            SampleProbes.Asking(silence: TimeSpan.FromSeconds(1)),
            [ProbeRoute.Udp(new ProbeAddress("127.0.0.1", port)), Route(server, string.Empty)]);

        await SampleProbes.Take(exchange, 10);

        exchange.Problem.ShouldBe($"no answer from udp://127.0.0.1:{port} within 1 s");
        exchange.Route.Name.ShouldBe(server.Uri);
    }

    private static Task<RedisServerProcess> StartServer() => RedisServerProcess.Start();

    private static ProbeResponder Responder(
        RedisServerProcess server, ulong answerer = SampleProbes.Answerer, string user = "") =>
        ProbeResponder.OnRedis(
            server.Uri,
            () => Open(server, user, ProbeChannels.Questions(RunName), ProbeChannels.Answers(RunName)),
            new ProbeResponderOptions
            {
                Run = SampleProbes.Run,
                Answerer = answerer,
                Key = SampleProbes.Key,
                Status = SampleProbes.Answering().Status,
            });

    private static ProbeExchange Exchange(RedisServerProcess server, string user = "") =>
        new(SampleProbes.Asking(), [Route(server, user)]);

    private static ProbeRoute Route(RedisServerProcess server, string user) => ProbeRoute.Redis(
        server.Uri, () => Open(server, user, ProbeChannels.Answers(RunName), ProbeChannels.Questions(RunName)));

    private static RawLane Open(RedisServerProcess server, string user, string subscribe, string publish) =>
        RawLane.Open(
            RedisEndpoint.Parse(server.Uri.Replace("//", $"//{user}", StringComparison.Ordinal)),
            new RedisConnectionOptions(),
            new LaneOptions { SubscribeChannels = [subscribe], PublishChannels = [publish], MaxPayload = 256 });

    private static async Task SetUser(RedisServerProcess server, params string[] rules)
    {
        await Task.Run(
            () =>
            {
                using var control = RedisConnection.Open(
                    RedisEndpoint.Parse(server.Uri), new RedisConnectionOptions());
                control.Request(["ACL", "SETUSER", "probing", "resetchannels", .. rules]).IsError.ShouldBeFalse();
            },
            SampleProbes.Cancellation);
    }
}
