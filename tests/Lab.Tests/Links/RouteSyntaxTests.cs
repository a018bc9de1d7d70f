using System.Net;
using RedisLatency.Hosting.Running;
using RedisLatency.Lab.Links;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Tests.Links;

public class RouteSyntaxTests
{
    [Theory]
    [InlineData("127.0.0.1:7001", true)]
    [InlineData("[::1]:7001", true)]
    [InlineData("redis.lan:6379", true)]
    [InlineData("127.0.0.1:0", true)]
    [InlineData("127.0.0.1", false)]
    [InlineData("127.0.0.1:65536", false)]
    [InlineData("127.0.0.1:-1", false)]
    [InlineData("::1:7001", false)]
    [InlineData(":7001", false)]
    [InlineData("", false)]
    public void Address_IsAHostAndAPort(string text, bool isOne) =>
        (AddressSyntax.Problem(text) is null).ShouldBe(isOne);

    [Theory]
    [InlineData("127.0.0.1:7002=127.0.0.1:7777", true)]
    [InlineData("127.0.0.1:7002", false)]
    [InlineData("127.0.0.1:7002=127.0.0.1:7777=1", false)]
    [InlineData("127.0.0.1:7002=7777", false)]
    public void Route_IsTwoAddresses(string text, bool isOne) =>
        (AddressSyntax.RouteProblem(text) is null).ShouldBe(isOne);

    [Fact]
    public void Route_OfNames_IsLookedUp()
    {
        var route = AddressSyntax.Route(LinkProtocol.Udp, "[::1]:7001", "localhost:6379");

        route.Protocol.ShouldBe(LinkProtocol.Udp);
        route.Listen.ShouldBe(new IPEndPoint(IPAddress.IPv6Loopback, 7001));
        IPAddress.IsLoopback(route.To.Address).ShouldBeTrue();
        route.To.Port.ShouldBe(6379);
    }

    [Fact]
    public void Route_OfAnUnknownName_IsRefused() => Should.Throw<RunRefusedException>(
        () => AddressSyntax.Route(LinkProtocol.Tcp, "127.0.0.1:7001", "no-such-host.invalid:6379"));

    [Theory]
    [InlineData("14ms", 14, 14)]
    [InlineData("14ms/20ms", 14, 20)]
    [InlineData("0s/20ms", 0, 20)]
    public void Delay_IsOfBothWaysOrOfEach(string text, double forward, double back)
    {
        DelaySyntax.Problem(text).ShouldBeNull();
        var profile = DelaySyntax.Read(text);

        (profile.Forward.Delay.TotalMilliseconds, profile.Back.Delay.TotalMilliseconds).ShouldBe((forward, back));
    }

    [Theory]
    [InlineData("14ms/20ms/3ms")]
    [InlineData("14")]
    [InlineData("/14ms")]
    [InlineData("2h")]
    public void Delay_OfSomethingElse_IsAProblem(string text) => DelaySyntax.Problem(text).ShouldNotBeNull();
}
