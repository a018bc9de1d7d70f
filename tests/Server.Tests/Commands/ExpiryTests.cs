using RedisLatency.Server.Commands;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Commands;

public class ExpiryTests
{
    [Fact]
    public void Key_IsGoneAtItsTime_AndNotBefore()
    {
        var time = new ManualTime();
        using var server = InProcessServer.Start(new InProcessServerOptions { TimeProvider = time });
        using var client = WireClient.Connect(server.Port);
        client.Exchange("SET", "a", "1", "PX", "5000").ShouldBe("+OK\r\n");
        time.Advance(4999);
        client.Exchange("GET", "a").ShouldBe("$1\r\n1\r\n");
        time.Advance(1);
        client.Exchange("GET", "a").ShouldBe("$-1\r\n");
        client.Exchange("EXISTS", "a").ShouldBe(":0\r\n");
        client.Exchange("DBSIZE").ShouldBe(":0\r\n");
    }

    [Fact]
    public void RemoveExpired_RemovesKeysThatNobodyAsksFor()
    {
        var time = new ManualTime();
        var clock = new ServerClock(time);
        var database = new Database(clock);
        for (var index = 0; index < 1000; index++)
        {
            var entry = database.Set(BitConverter.GetBytes(index), "v"u8);
            if (index % 2 == 0)
                database.ExpireAt(entry, clock.Milliseconds + 10);
        }

        database.RemoveExpired(rounds: 100);
        database.Count.ShouldBe(1000);
        time.Advance(10);
        clock.Forget();
        database.RemoveExpired(rounds: 1000);
        database.Count.ShouldBe(500);
        database.ExpiringCount.ShouldBe(0);
    }

    [Fact]
    public void Scan_WhileKeysComeAndGo_ReturnsEveryKeyThatStays()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        for (var index = 0; index < 200; index++)
            client.Exchange("SET", $"{(index % 2 == 0 ? "stays" : "goes")}:{index}", "v");
        var seen = new List<string>();
        var cursor = "0";
        var turn = 1;
        do
        {
            var lines = client.Exchange("SCAN", cursor, "COUNT", "7").Split("\r\n");
            cursor = lines[2];
            seen.AddRange(lines.Where(line => line.StartsWith("stays:", StringComparison.Ordinal)));
            client.Exchange("DEL", $"goes:{turn}");
            client.Exchange("SET", $"comes:{turn}", "v");
            turn += 2;
        }
        while (cursor != "0");
        seen.ShouldBe(Enumerable.Range(0, 100).Select(index => $"stays:{index * 2}"), ignoreOrder: true);
    }
}
