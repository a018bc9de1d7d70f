using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;

namespace RedisLatency.Messaging.Tests.Sending;

public sealed class StreamConnectionTests
{
    [Fact]
    public void LaneThatIsLostAsSoonAsItOpens_IsNotOpenedInHaste()
    {
        var opened = 0;
        using var connection = new StreamConnection(
            () =>
            {
                opened++;
                return new ScriptedLane((_, _) => { });
            },
            TimeSpan.FromHours(1));
        connection.Open();

        var end = MonotonicClock.NowNs() + 1_000_000_000;
        while (MonotonicClock.NowNs() < end)
        {
            if (connection.TryRestore(TimeSpan.FromMilliseconds(1)))
                connection.Lose(new RedisConnectionLostException("closed"));
        }

        // Without a pause there would be thousands; with all of them there are about six.
        opened.ShouldBeInRange(2, 40);
    }
}
