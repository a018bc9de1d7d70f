using RedisLatency.Fixtures;
using RedisLatency.Messaging.Tests.Sending;
using RedisLatency.Peers.Rendezvous;

namespace RedisLatency.Messaging.Echoing;

/// <summary>A connection that stays open while nothing comes on it any more.</summary>
public sealed class SilentConnectionTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task OnWhichNothingComes_IsLostAndReplaced()
    {
        var lanes = new List<ScriptedLane>();
        using var replaced = new ManualResetEventSlim();
        using var echo = Echo(TimeSpan.FromMilliseconds(20), () =>
        {
            lanes.Add(new ScriptedLane((_, _) => { }) { IsSilent = lanes.Count == 0 });
            if (lanes.Count == 2)
                replaced.Set();
            return lanes[^1];
        });
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        var running = Task.Run(() => echo.Run(stop.Token), Cancellation);

        replaced.Wait(ServiceProcess.LimitAgainstHangs, Cancellation).ShouldBeTrue();
        await stop.CancelAsync();
        await running;

        echo.Counts.ConnectionsLost.ShouldBe(1);
        echo.Outages[0].Reason.ShouldContain("nothing came on it for 0.1 s, not even an answer to PING");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void IsAskedAtTheEnd_ThoughNewOnesWouldWork(bool isSilent)
    {
        using var echo = Echo(
            TimeSpan.FromMilliseconds(50), () => new ScriptedLane((_, _) => { }) { IsSilent = isSilent });

        echo.AskAtEnd();

        echo.IsConnected.ShouldBe(!isSilent);
        echo.Counts.ConnectionsLost.ShouldBe(isSilent ? 1 : 0);
    }

    private static StreamEcho Echo(TimeSpan keepAlive, Func<ScriptedLane> open)
    {
        var echo = new StreamEcho(
            new EchoOptions
            {
                Instance = 1,
                Self = new Announcement("run", "consumer", "c", string.Empty, "0"),
                KeepAlive = keepAlive,
            },
            open);
        echo.Connect();
        return echo;
    }
}
