using System.Net;
using System.Net.Sockets;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

public sealed class UdpExchangeTests
{
    [Theory]
    [InlineData("udp://127.0.0.1:0")]
    [InlineData("udp://[::1]:0")]
    [InlineData("udp://localhost:0")]
    public async Task Exchange_OnOneClock_HoldsZeroInEveryInterval(string address)
    {
        Assert.SkipWhen(address.Contains("::1", StringComparison.Ordinal) && !HasIpv6(), "this machine has no IPv6");
        using var responder = SampleProbes.Responder(address);
        using var exchange = Exchange(responder);

        var probes = await SampleProbes.Take(exchange, 40);

        exchange.Stop();
        foreach (var probe in probes.Select(taken => taken.Probe))
        {
            (probe.EchoedNs - probe.ReturnedNs).ShouldBeLessThanOrEqualTo(0);
            (probe.ReceivedNs - probe.SentNs).ShouldBeGreaterThanOrEqualTo(0);
            probe.NetworkNs.ShouldBeGreaterThan(0);
        }

        probes.Select(taken => taken.Pair).ShouldBe(probes.Select(taken => taken.Pair).Order());
        foreach (var pair in probes.GroupBy(taken => taken.Pair).Where(pair => pair.Count() == 2))
            (pair.Last().Probe.SentNs - pair.First().Probe.SentNs).ShouldBeGreaterThanOrEqualTo(75_000);
        probes[0].PeerStatus.SampledAtNs.ShouldBe(5);
        exchange.Problem.ShouldBeNull();
        exchange.Route.IsUdp.ShouldBeTrue();
        responder.Counts.Refused.ShouldBe(0);
    }

    [Fact]
    public async Task WrongKey_IsNeverAnswered()
    {
        using var responder = SampleProbes.Responder();
        using var exchange = Exchange(responder, SampleProbes.Asking(key: new ProbeSecret().KeyOf(SampleProbes.Run)));

        await SampleProbes.Until(() => responder.Counts.Unauthenticated >= 20, () => "nobody asked");
        exchange.Stop();

        responder.Counts.Answered.ShouldBe(0);
        exchange.Counts.Answered.ShouldBe(0);
        exchange.Counts.Unanswered.ShouldBe(exchange.Counts.Sent);
    }

    [Fact]
    public async Task BlockedPort_IsSaidAndLeftForTheNextRoute()
    {
        // It takes everything and answers nothing, as behind a firewall that drops.
        using var blocked = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var address = new ProbeAddress("127.0.0.1", ((IPEndPoint)blocked.Client.LocalEndPoint!).Port);
        using var responder = SampleProbes.Responder();
        using var exchange = new ProbeExchange(
            SampleProbes.Asking(silence: TimeSpan.FromMilliseconds(200)),
            [ProbeRoute.Udp(address), ProbeRoute.Udp(responder.Address!)]);

        await SampleProbes.Take(exchange, 10);

        exchange.Problem.ShouldBe($"no answer from {address} within 0.2 s");
        exchange.Route.Name.ShouldBe(responder.Name);
        exchange.Counts.LaneChanges.ShouldBe(1);
    }

    [Fact]
    public async Task BlockedPort_WithoutAnotherRoute_IsSaidAndAskedOn()
    {
        using var blocked = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var address = new ProbeAddress("127.0.0.1", ((IPEndPoint)blocked.Client.LocalEndPoint!).Port);
        using var exchange = new ProbeExchange(
            SampleProbes.Asking(silence: TimeSpan.FromMilliseconds(100)), [ProbeRoute.Udp(address)]);
        await SampleProbes.Until(() => exchange.Problem is not null, () => "nothing was said");
        blocked.Dispose();

        using var responder = await ResponderOnceFree(address);
        await SampleProbes.Take(exchange, 10);

        await SampleProbes.Until(() => exchange.Problem is null, () => exchange.Problem!);
    }

    [Fact]
    public async Task RefusedPort_NamesTheRefusal()
    {
        using var exchange = new ProbeExchange(
            SampleProbes.Asking(silence: TimeSpan.FromMilliseconds(200)), [ProbeRoute.Udp(NobodysAddress())]);

        await SampleProbes.Until(() => exchange.Problem is not null, () => "nothing was said");

        // Whether a send or a receive hears of it first is the kernel's business, so that no count is asked for.
        exchange.Problem!.ShouldContain("refused");
        exchange.Counts.Answered.ShouldBe(0);
    }

    [Fact]
    public async Task NameWithoutAnAddress_IsSaid()
    {
        using var exchange = new ProbeExchange(
            SampleProbes.Asking(silence: TimeSpan.FromMilliseconds(50)),
            [ProbeRoute.Udp(ProbeAddress.Parse("udp://nobody.invalid:7100")!)]);

        await SampleProbes.Until(() => exchange.Problem is not null, () => "nothing was said");

        exchange.Problem!.ShouldStartWith("no answer from udp://nobody.invalid:7100 within 0.05 s: ");
    }

    [Fact]
    public void PortThatIsTaken_IsRefusedWithTheReason()
    {
        using var responder = SampleProbes.Responder();

        ProbeResponder.TryOnUdp(responder.Address!, SampleProbes.Answering(), out _, out var refusal).ShouldBeFalse();

        refusal.ShouldNotBeNull();
        refusal.ShouldStartWith($"--probe {responder.Name}: cannot listen there: ");
        refusal.ShouldNotContain(SampleProbes.Key.Reveal());
    }

    [Fact]
    public async Task ResponderThatComesBack_IsHeardAgain()
    {
        var first = SampleProbes.Responder();
        var address = first.Address!;
        using var exchange = Exchange(first);
        await SampleProbes.Take(exchange, 10);
        first.Dispose();
        await SampleProbes.Until(() => exchange.Counts.Unsent > 0, () => "the refusal was not noticed");

        using var second = await ResponderOnceFree(address);

        await SampleProbes.Until(() => second.Counts.Answered >= 10, () => $"{second.Counts.Answered} answered");
        await SampleProbes.Take(exchange, 10);
    }

    // A process that another test starts has our closed sockets open until it becomes its program.
    private static async Task<ProbeResponder> ResponderOnceFree(ProbeAddress address)
    {
        ProbeResponder? responder = null;
        string? refusal = null;
        await SampleProbes.Until(
            () => ProbeResponder.TryOnUdp(address, SampleProbes.Answering(), out responder, out refusal), () => refusal!);
        return responder!;
    }

    private static ProbeExchange Exchange(ProbeResponder responder, ProbeExchangeOptions? options = null) =>
        new(options ?? SampleProbes.Asking(), [ProbeRoute.Udp(responder.Address!)]);

    private static ProbeAddress NobodysAddress()
    {
        using var nobody = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        return new ProbeAddress("127.0.0.1", ((IPEndPoint)nobody.Client.LocalEndPoint!).Port);
    }

    private static bool HasIpv6()
    {
        try
        {
            using var probe = new UdpClient(new IPEndPoint(IPAddress.IPv6Loopback, 0));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
