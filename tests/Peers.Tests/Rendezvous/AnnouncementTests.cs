using System.Text;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Peers.Rendezvous;

namespace RedisLatency.Peers.Tests.Rendezvous;

public sealed class AnnouncementTests
{
    private const string Old = """{"run":"r","role":"consumer","instance":"i","region":"","version":"0.0.1"}""";

    private static readonly Announcement Whole = new("r", "consumer", "i", string.Empty, "1.0")
    {
        Clock = new ClockIdentity("b", "time:[1]", "h"),
        Probe = new ProbeOffer("c2VjcmV0") { Udp = "udp://10.0.0.5:7100", Redis = true },
    };

    [Fact]
    public void Announcement_CarriesClockAndOffer() => Announcement.Read(Whole.ToBytes()).ShouldBe(Whole);

    [Fact]
    public void AnnouncementOfAnOlderVersion_HasNeither()
    {
        var read = Announcement.Read(Encoding.UTF8.GetBytes(Old))!;

        read.Instance.ShouldBe("i");
        read.Clock.ShouldBeNull();
        read.Probe.ShouldBeNull();
    }

    [Fact]
    public void AnnouncementWithNeither_IsWhatOlderVersionsSend() =>
        Encoding.UTF8.GetString((Whole with { Clock = null, Probe = null, Version = "0.0.1" }).ToBytes()).ShouldBe(Old);

    [Fact]
    public void Announcement_CarriesWaits()
    {
        var waits = ReportedWaits.Of(1_000_000_000, 200, [(40_000, 3), (4_000_000, 2)])!;

        var read = Announcement.Read((Whole with { Waits = waits }).ToBytes())!.Waits!;

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
        var read = Announcement.Read(Encoding.UTF8.GetBytes($"{Old[..^1]},\"waits\":{value}}}"))!;

        read.Instance.ShouldBe("i");
        read.Waits.ShouldBeNull();
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
        var read = Announcement.Read(Encoding.UTF8.GetBytes($"{Old[..^1]},\"clock\":{value},\"probe\":{value}}}"))!;

        read.Instance.ShouldBe("i");
        read.Clock.ShouldBeNull();
        read.Probe.ShouldBeNull();
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"run\":\"r\"")]
    [InlineData("""{"run":"r","role":"consumer","instance":5,"region":"","version":"1"}""")]
    [InlineData("""{"run":"r","role":"consumer","instance":null,"region":"","version":"1"}""")]
    [InlineData("""{"run":"r","role":"consumer","instance":"i","version":"1"}""")]
    [InlineData("""{"run":"\ud800","role":"consumer","instance":"i","region":"","version":"1"}""")]
    [InlineData("""{"run":"r","role":"consumer","instance":"i","region":"","version":"1","clock":{"host":"\ud800"}}""")]
    public void AnythingElse_IsNone(string text) =>
        Announcement.Read(Encoding.UTF8.GetBytes(text)).ShouldBeNull();

    [Fact]
    public void NamesThatHarmATerminal_AreMadePlain()
    {
        const string Escape = "\u001b[2J";
        var hostile = new Announcement($"a{Escape}", Escape, $"b/{Escape}", "eu west", $"1\n{Escape}")
        {
            Clock = new ClockIdentity(null, null, $"h{Escape}"),
        };

        var read = Announcement.Read(hostile.ToBytes())!;

        read.ShouldBe(new Announcement("a__2J", "__2J", "b___2J", "eu_west", "1___2J")
        {
            Clock = new ClockIdentity(null, null, "h__2J"),
        });
    }

    [Fact]
    public void NamesLongerThanMakeSense_AreNone() =>
        Announcement.Read((Whole with { Instance = new string('x', 257) }).ToBytes()).ShouldBeNull();

    [Fact]
    public void OfThis_SaysWhichVersionAndClockAndHowToAsk()
    {
        var self = Announcement.OfThis("r", "writer", "i", region: null).WithClock(Whole.Probe);

        var read = Announcement.Read(self.ToBytes())!;

        read.ShouldBe(self);
        read.NamedRegion.ShouldBeNull();
        read.Clock!.Host.ShouldBe(Environment.MachineName);
        read.NoteVersion("The writer").ShouldBeNull();
    }

    [Fact]
    public void PeerOfAnotherVersion_IsNamedWithBoth() =>
        (Whole with { Version = "0.0.9" }).NoteVersion("The consumer a").ShouldBe(
            $"The consumer a is of version 0.0.9, and this process of {RunNames.SuiteVersion}: use one version on both "
            + "sides.");

    [Fact]
    public void TextsLongerThanMakeSense_AreNone()
    {
        var text = new string('x', 10_000);
        var hostile = Whole with
        {
            Clock = new ClockIdentity(text, text, "h"),
            Probe = new ProbeOffer("k") { Udp = text },
        };

        var read = Announcement.Read(hostile.ToBytes())!;

        read.Clock.ShouldBe(new ClockIdentity(null, null, "h"));
        read.Probe.ShouldBe(new ProbeOffer("k"));
        Announcement.Read((hostile with { Probe = new ProbeOffer(text) }).ToBytes())!.Probe.ShouldBeNull();
    }

    [Fact]
    public void Announcement_DoesNotPrintItsKey()
    {
        $"{Whole}{Whole.Probe}".ShouldNotContain("c2VjcmV0");
        $"{Whole}".ShouldContain("udp://10.0.0.5:7100");
    }
}
