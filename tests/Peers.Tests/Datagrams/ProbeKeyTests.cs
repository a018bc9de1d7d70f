using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Tests.Datagrams;

public sealed class ProbeKeyTests
{
    [Fact]
    public void Key_IsReadAsItWasRevealed()
    {
        var key = new ProbeSecret().KeyOf(3);

        ProbeKey.Parse(key.Reveal())!.Reveal().ShouldBe(key.Reveal());
    }

    [Fact]
    public void Runs_AndProcesses_HaveKeysOfTheirOwn()
    {
        var secret = new ProbeSecret();

        secret.KeyOf(1).Reveal().ShouldBe(secret.KeyOf(1).Reveal());
        secret.KeyOf(1).Reveal().ShouldNotBe(secret.KeyOf(2).Reveal());
        secret.KeyOf(1).Reveal().ShouldNotBe(new ProbeSecret().KeyOf(1).Reveal());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("AAAA")]
    [InlineData("!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==")]
    public void Text_ThatIsNoKey_IsNone(string? text) => ProbeKey.Parse(text).ShouldBeNull();

    [Fact]
    public void Key_DoesNotPrintItself()
    {
        $"{SampleProbes.Key}{new ProbeSecret()}{SampleProbes.Answering()}".ShouldNotContain(SampleProbes.Key.Reveal());
        $"{SampleProbes.Key}".ShouldBe("***");
    }
}
