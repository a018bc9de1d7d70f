using System.Net;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Redis.Tests.StackExchange;

public sealed class ConnectionTallyTests
{
    private static readonly EndPoint One = new DnsEndPoint("one", 1);
    private static readonly EndPoint Other = new DnsEndPoint("other", 1);

    /// <summary>
    /// 3.4.35 tells of the first connection, too, and it may do so after it has returned: three lost, four restored.
    /// </summary>
    [Fact]
    public void OnlyWhatWasLost_IsRestored()
    {
        var tally = new ConnectionTally();
        tally.CountRestored(One);
        tally.CountRestored(Other);
        for (var turn = 0; turn < 3; turn++)
        {
            tally.CountLost(One);
            tally.CountLost(One);
            tally.CountLost(null);
            tally.CountRestored(One);
        }

        (tally.Lost, tally.Restored).ShouldBe((4, 3));
        tally.CountRestored(null);
        tally.CountRestored(null);
        (tally.Lost, tally.Restored).ShouldBe((4, 4));
    }
}
