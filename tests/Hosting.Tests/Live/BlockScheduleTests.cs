using RedisLatency.Hosting.Live;

namespace RedisLatency.Hosting.Tests.Live;

public class BlockScheduleTests
{
    [Theory]
    [InlineData(5, 80)]
    [InlineData(8, 128)]
    [InlineData(16, 192)]
    [InlineData(64, 320)]
    [InlineData(74, 330)]
    public void Blocks_AreSixteenASecond_AndHalfAsManyWheneverThereIsNoRoom(int seconds, int blocks)
    {
        var schedule = new BlockSchedule();
        var (ended, intervals) = (0, 0);
        for (var tick = 1; tick <= seconds * BlockSchedule.TicksPerSecond; tick++)
        {
            schedule.MoveTo(tick * BlockSchedule.Tick);
            ended += schedule.EndsBlock ? 1 : 0;
            intervals += schedule.EndsInterval ? 1 : 0;
        }

        (ended, intervals).ShouldBe((blocks, seconds));
    }

    [Fact]
    public void Ticks_ThatWereMissed_EndWithTheNext()
    {
        var schedule = new BlockSchedule();

        schedule.MoveTo(15 * BlockSchedule.Tick);
        (schedule.EndsBlock, schedule.EndsInterval).ShouldBe((true, false));
        schedule.MoveTo(TimeSpan.FromSeconds(2.97));

        (schedule.EndsBlock, schedule.EndsInterval).ShouldBe((true, true));
    }
}
