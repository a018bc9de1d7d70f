using RedisLatency.Redis.Client;

namespace RedisLatency.Redis.Tests.Client;

public sealed class RequestRetryTests
{
    [Theory]
    [InlineData(ErrorKind.Final, NextStep.GiveUp)]
    [InlineData(ErrorKind.NoScript, NextStep.GiveUp)]
    [InlineData(ErrorKind.Passing, NextStep.SendAgain)]
    [InlineData(ErrorKind.ReadOnly, NextStep.SendAgain)]
    [InlineData(ErrorKind.Moved, NextStep.Follow)]
    [InlineData(ErrorKind.Ask, NextStep.Follow)]
    public void Error_SaysWhatComesNext(ErrorKind error, NextStep next)
    {
        var redirections = (byte)0;

        RequestRetry.After(error, ref redirections).ShouldBe(next);
    }

    [Fact]
    public void ServersThatNameEachOther_AreFollowedSixteenTimes_ThenOnceAfterEachPause()
    {
        var redirections = (byte)0;
        var steps = Enumerable.Range(0, 21).Select(number =>
            RequestRetry.After(number % 2 == 0 ? ErrorKind.Moved : ErrorKind.Ask, ref redirections)).ToList();

        steps[..16].ShouldAllBe(step => step == NextStep.Follow);
        steps[16..].ShouldBe(
            [NextStep.SendAgain, NextStep.Follow, NextStep.SendAgain, NextStep.Follow, NextStep.SendAgain]);
        RequestRetry.After(ErrorKind.Passing, ref redirections).ShouldBe(NextStep.SendAgain);
        redirections.ShouldBe((byte)0);
    }

    [Fact]
    public void Pauses_DoubleFromAMillisecond_UpToAQuarterOfASecond()
    {
        Enumerable.Range(0, 10).Select(retries => RequestRetry.PauseAfter(retries).TotalMilliseconds)
            .ShouldBe([1, 2, 4, 8, 16, 32, 64, 128, 250, 250]);
        RequestRetry.PauseAfter(int.MaxValue).TotalMilliseconds.ShouldBe(250);
    }
}
