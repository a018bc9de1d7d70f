using System.Text;
using RedisLatency.Messaging.Presence;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Messaging.Tests.Presence;

public sealed class HelloOfferTests
{
    private const string Old = """{"run":"r","role":"consumer","instance":"i","region":"","version":"0.0.1"}""";

    private static readonly HelloContent Whole = new("r", "consumer", "i", string.Empty, "1.0")
    {
        Clock = new ClockIdentity("b", "time:[1]", "h"),
        Probe = new ProbeOffer("c2VjcmV0") { Udp = "udp://10.0.0.5:7100", Redis = true },
    };

    [Fact]
    public void Hello_CarriesClockAndOffer() => HelloContent.Read(Whole.ToBytes()).ShouldBe(Whole);

    [Fact]
    public void HelloOfAnOlderVersion_HasNeither()
    {
        var hello = HelloContent.Read(Encoding.UTF8.GetBytes(Old))!;

        hello.Instance.ShouldBe("i");
        hello.Clock.ShouldBeNull();
        hello.Probe.ShouldBeNull();
    }

    [Fact]
    public void HelloWithNeither_IsWhatOlderVersionsSend() =>
        Encoding.UTF8.GetString((Whole with { Clock = null, Probe = null, Version = "0.0.1" }).ToBytes()).ShouldBe(Old);

    [Fact]
    public void Hello_CarriesWaits()
    {
        var waits = ReportedWaits.Of(1_000_000_000, 200, [(40_000, 3), (4_000_000, 2)])!;

        var read = HelloContent.Read((Whole with { Waits = waits }).ToBytes())!.Waits!;

        (read.ElapsedNs, read.Slots).ShouldBe((waits.ElapsedNs, waits.Slots));
        read.Excesses.ShouldBe(waits.Excesses);
    }

    [Theory]
    [InlineData("""{"elapsedNs":-1,"slots":2,"excess":[]}""")]
    [InlineData("""{"elapsedNs":1,"slots":9223372036854775807,"excess":[]}""")]
    [InlineData("""{"elapsedNs":1e300,"slots":2,"excess":[]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":[5]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":[5,3]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":[5,-1]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":[5,1,5,1]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":[9223372036854775807,1]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":["5",{}]}""")]
    [InlineData("""{"elapsedNs":1,"slots":2,"excess":7}""")]
    [InlineData("""{"slots":2}""")]
    [InlineData("[1,2]")]
    [InlineData("null")]
    public void WaitsThatCannotBe_AreNoneAndSpoilNothingElse(string value)
    {
        var hello = HelloContent.Read(Encoding.UTF8.GetBytes($"{Old[..^1]},\"waits\":{value}}}"))!;

        hello.Instance.ShouldBe("i");
        hello.Waits.ShouldBeNull();
    }

    [Theory]
    [InlineData("null")]
    [InlineData("5")]
    [InlineData("\"text\"")]
    [InlineData("[]")]
    [InlineData("[[[[{}]]]]")]
    [InlineData("{}")]
    [InlineData("""{"key":5,"udp":{},"redis":"yes","host":[],"bootId":1}""")]
    [InlineData("""{"key":null,"host":null}""")]
    public void HostileClockAndOffer_AreNoneAndSpoilNothingElse(string value)
    {
        var hello = HelloContent.Read(Encoding.UTF8.GetBytes($"{Old[..^1]},\"clock\":{value},\"probe\":{value}}}"))!;

        hello.Instance.ShouldBe("i");
        hello.Clock.ShouldBeNull();
        hello.Probe.ShouldBeNull();
    }

    [Fact]
    public void TextsLongerThanMakeSense_AreNone()
    {
        var text = new string('x', 10_000);
        var hostile = Whole with
        {
            Clock = new ClockIdentity(text, text, "h"),
            Probe = new ProbeOffer("k") { Udp = text },
        };

        var hello = HelloContent.Read(hostile.ToBytes())!;

        hello.Clock.ShouldBe(new ClockIdentity(null, null, "h"));
        hello.Probe.ShouldBe(new ProbeOffer("k"));
        HelloContent.Read((hostile with { Probe = new ProbeOffer(text) }).ToBytes())!.Probe.ShouldBeNull();
    }

    [Fact]
    public void Hello_DoesNotPrintItsKey()
    {
        $"{Whole}{Whole.Probe}".ShouldNotContain("c2VjcmV0");
        $"{Whole}".ShouldContain("udp://10.0.0.5:7100");
    }
}
