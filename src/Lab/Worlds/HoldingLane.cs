using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Lab.Worlds;

/// <summary>A lane whose owner gets each message only after a time: so much longer does he keep it.</summary>
internal sealed class HoldingLane(IPubSubLane lane, TimeSpan hold) : IPubSubLane
{
    public LaneDescription Description => lane.Description;

    public void Publish(int channel, ReadOnlySpan<byte> payload) => lane.Publish(channel, payload);

    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        if (!lane.TryReceive(untilTimestamp, out message))
            return false;
        TimedWait.Until(MonotonicClock.FromTimestamp(message.ReceivedTimestamp) + hold.InNanoseconds);
        return true;
    }

    public void DrainReplies() => lane.DrainReplies();

    public void Ask() => lane.Ask();

    public long? UnansweredSince => lane.UnansweredSince;

    public void Dispose() => lane.Dispose();
}
