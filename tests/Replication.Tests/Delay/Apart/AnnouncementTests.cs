using RedisLatency.Metrics.Clocks.Identity;
using RedisLatency.Replication.Delay.Apart;

namespace RedisLatency.Replication.Tests.Delay.Apart;

public class AnnouncementTests
{
    [Fact]
    public void Read_OfWhatWasWritten_GivesIt()
    {
        var announced = new Announcement
        {
            Session = 0xfedc_ba98_7654_3210,
            Keys = 1_000,
            IntervalNs = 1e9 / 3,
            StartNs = 123_456_789_012_345,
            Source = "10.0.0.5:6379",
            Region = "eu-west",
            Clock = new ClockIdentity("boot", "time:[1]", "host"),
            ProbeKey = "c2VjcmV0",
            Udp = "udp://10.0.0.5:7100",
        };

        Announcement.Read(announced.Write()).ShouldBe(announced);
        announced.ToString().ShouldNotContain("c2VjcmV0");
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("1700000000000")]
    [InlineData("{}")]
    [InlineData("""{"version":2}""")]
    [InlineData("""{"version":1,"session":"x"}""")]
    [InlineData("""{"version":1,"session":"1","keys":"many"}""")]
    [InlineData("""{"version":"1"}""")]
    public void Read_OfAnythingElse_IsNull(string? text) => Announcement.Read(text).ShouldBeNull();

    [Theory]
    [InlineData(0, 1)]
    [InlineData(100_000_001, 1)]
    [InlineData(1, 0)]
    [InlineData(1, -5)]
    public void Read_OfAScheduleThatNobodyCanKeep_IsNull(long keys, double interval) =>
        Announcement.Read(new Announcement
        {
            Session = 1,
            Keys = keys,
            IntervalNs = interval,
            Source = "here",
            Clock = new ClockIdentity(null, null, "host"),
            ProbeKey = string.Empty,
        }.Write()).ShouldBeNull();

    [Fact]
    public void End_OfWhatWasWritten_GivesIt()
    {
        var end = new WritingEnd(1_000, 3, 2);

        WritingEnd.Read(end.Write()).ShouldBe(end);
        WritingEnd.Read("""{"asked":-1,"unsent":0,"refused":0}""").ShouldBeNull();
        WritingEnd.Read("12").ShouldBeNull();
    }
}
