using System.Collections.Concurrent;
using System.Globalization;
using StackExchange.Redis;

namespace RedisLatency.Server.Tests.Compatibility;

/// <summary>StackExchange.Redis against the in-process server.</summary>
public class StackExchangeTests
{
    [Fact]
    public async Task Strings_AreSetGotAndCounted()
    {
        using var server = InProcessServer.Start();
        using var connection = await ConnectionMultiplexer.ConnectAsync(Configuration(server));
        var database = connection.GetDatabase();
        (await database.StringSetAsync("key", "value", TimeSpan.FromMinutes(10))).ShouldBeTrue();
        ((string?)await database.StringGetAsync("key")).ShouldBe("value");
        (await database.StringIncrementAsync("counter")).ShouldBe(1);
        (await database.KeyDeleteAsync("key")).ShouldBeTrue();
        ((string?)await database.StringGetAsync("key")).ShouldBeNull();
    }

    [Fact]
    public async Task Messages_AllArriveOnce()
    {
        const int count = 1000;
        using var server = InProcessServer.Start();
        using var connection = await ConnectionMultiplexer.ConnectAsync(Configuration(server));
        var subscriber = connection.GetSubscriber();
        var received = new ConcurrentQueue<string>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var channel = RedisChannel.Literal("channel");
        await subscriber.SubscribeAsync(channel, (_, message) =>
        {
            received.Enqueue(message!);
            if (received.Count == count)
                all.TrySetResult();
        });
        for (var index = 0; index < count; index++)
            (await subscriber.PublishAsync(channel, index.ToString(CultureInfo.InvariantCulture))).ShouldBe(1);
        await all.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        received.Select(text => int.Parse(text, CultureInfo.InvariantCulture))
            .ShouldBe(Enumerable.Range(0, count), ignoreOrder: true);
    }

    private static string Configuration(InProcessServer server) =>
        string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{server.Port},connectTimeout=20000");
}
