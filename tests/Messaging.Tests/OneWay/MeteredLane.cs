using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Tests.OneWay;

/// <summary>A lane that notes, at each look for a message, what its thread has allocated so far.</summary>
internal sealed class MeteredLane(IPubSubLane lane) : IPubSubLane
{
    private long _allocatedBytes;

    /// <summary>What the lane's thread had allocated when it last looked for a message.</summary>
    public long AllocatedBytes => Volatile.Read(ref _allocatedBytes);

    public LaneDescription Description => lane.Description;

    public void Publish(int channel, ReadOnlySpan<byte> payload) => lane.Publish(channel, payload);

    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        Volatile.Write(ref _allocatedBytes, GC.GetAllocatedBytesForCurrentThread());
        return lane.TryReceive(untilTimestamp, out message);
    }

    public void DrainReplies() => lane.DrainReplies();

    public void Ask() => lane.Ask();

    public long? UnansweredSince => lane.UnansweredSince;

    public void Dispose() => lane.Dispose();
}
