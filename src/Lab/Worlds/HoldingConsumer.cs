using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.Presence;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Lab.Worlds;

/// <summary>A consumer on a thread of the Lab that keeps every message for a known time before it answers.</summary>
internal sealed class HoldingConsumer : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly StreamEcho _echo;
    private readonly Thread _thread;

    /// <summary>Starts it; it answers when this returns.</summary>
    public HoldingConsumer(RedisEndpoint endpoint, string run, TimeSpan hold)
    {
        var lane = new LaneOptions
        {
            SubscribeChannels = [RunNames.Ping(run)],
            PublishChannels = [RunNames.Pong(run)],
            ClientName = "redislatency-lab",
        };
        var self = new HelloContent(run, "consumer", "holding", string.Empty, RunNames.SuiteVersion)
        { Clock = ClockIdentity.Read() };
        _echo = new StreamEcho(
            new EchoOptions { Instance = RunIdentity.NewProcess(), Self = self },
            () => new HoldingLane(RawLane.Open(endpoint, new RedisConnectionOptions(), lane), hold));
        _echo.Connect();
        _thread = new Thread(() => _echo.Run(_stop.Token)) { IsBackground = true, Name = "holding consumer" };
        _thread.Start();
    }

    public void Dispose()
    {
        _stop.Cancel();
        _thread.Join();
        _echo.Dispose();
        _stop.Dispose();
    }
}

/// <summary>A lane whose owner gets each message only after a time: so much longer does he keep it.</summary>
internal sealed class HoldingLane(IPubSubLane lane, TimeSpan hold) : IPubSubLane
{
    public LaneDescription Description => lane.Description;

    public void Publish(int channel, ReadOnlySpan<byte> payload) => lane.Publish(channel, payload);

    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        if (!lane.TryReceive(untilTimestamp, out message))
            return false;
        Pacer.WaitUntil(MonotonicClock.FromTimestamp(message.ReceivedTimestamp) + hold.InNanoseconds);
        return true;
    }

    public void DrainReplies() => lane.DrainReplies();

    public void Ask() => lane.Ask();

    public long? UnansweredSince => lane.UnansweredSince;

    public void Dispose() => lane.Dispose();
}
