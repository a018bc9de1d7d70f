using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Tests.Datagrams;

public sealed class ProbeAddressTests
{
    [Theory]
    [InlineData("udp://10.0.0.5:7100", "10.0.0.5", 7100)]
    [InlineData("UDP://eu.example.org:1", "eu.example.org", 1)]
    [InlineData("udp://[::1]:0", "::1", 0)]
    [InlineData("udp://[fe80::1]:65535", "fe80::1", 65535)]
    public void Address_IsReadAndWritten(string text, string host, int port)
    {
        var address = ProbeAddress.Parse(text);

        address.ShouldBe(new ProbeAddress(host, port));
        ProbeAddress.Parse($"{address}").ShouldBe(address);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("redis://10.0.0.5:7100")]
    [InlineData("udp://10.0.0.5")]
    [InlineData("udp://:7100")]
    [InlineData("udp://10.0.0.5:65536")]
    [InlineData("udp://10.0.0.5:-1")]
    [InlineData("udp://10.0.0.5: 1")]
    [InlineData("udp://[10.0.0.5]:1")]
    [InlineData("udp://[::1:1")]
    [InlineData("udp://::1:1")]
    [InlineData("udp://user@host:1")]
    [InlineData("udp://ho st:1")]
    [InlineData("udp://host:1/path")]
    [InlineData("udp://\u001b[31m:1")]
    public void Text_ThatIsNoAddress_IsNone(string? text) => ProbeAddress.Parse(text).ShouldBeNull();

    [Fact]
    public void Text_LongerThanAnyName_IsNone() =>
        ProbeAddress.Parse($"udp://{string.Concat(Enumerable.Repeat("a.", 200))}a:1").ShouldBeNull();

    [Theory]
    [InlineData("udp://0.0.0.0:1", true)]
    [InlineData("udp://[::]:1", true)]
    [InlineData("udp://127.0.0.1:1", false)]
    [InlineData("udp://localhost:1", false)]
    public void AnyHost_IsKnownAsSuch(string text, bool isAny) =>
        ProbeAddress.Parse(text)!.IsAnyHost.ShouldBe(isAny);
}
