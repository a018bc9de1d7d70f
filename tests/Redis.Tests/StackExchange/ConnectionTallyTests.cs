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
        tally.CountOpened(One);
        tally.CountOpened(Other);
        for (var turn = 0; turn < 3; turn++)
        {
            tally.CountLost(One);
            tally.CountLost(One);
            tally.CountLost(null);
            tally.CountOpened(One);
        }

        (tally.Lost, tally.Restored).ShouldBe((4, 3));
        tally.CountOpened(null);
        tally.CountOpened(null);
        (tally.Lost, tally.Restored).ShouldBe((4, 4));
    }

    /// <summary>
    /// It may tell of a connection that ended only that it could not be opened again; of a server to which there was
    /// none, that is no loss.
    /// </summary>
    [Fact]
    public void WhatCannotBeOpenedAgain_WasLost()
    {
        var tally = new ConnectionTally();
        tally.CountOpened(One);
        tally.CountRefused(Other);
        tally.CountRefused(One);
        tally.CountRefused(One);
        tally.CountLost(One);

        (tally.Lost, tally.Restored).ShouldBe((1, 0));
        tally.CountOpened(One);
        tally.CountOpened(Other);
        (tally.Lost, tally.Restored).ShouldBe((1, 1));
    }
}
