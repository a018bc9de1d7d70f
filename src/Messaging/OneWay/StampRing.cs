namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// The stamps of one stream's messages on their way from the measuring thread to the one that corrects them.
/// </summary>
/// <param name="capacity">How many messages it holds at least.</param>
public sealed class StampRing(int capacity) : HandoverRing<MessageStamps>(capacity)
{
    private const double SecondsHeld = 2;
    private const int Least = 1 << 12;
    private const int Most = 1 << 20;

    // Where the next message waits for the last one, nothing is faster than a few microseconds a round trip.
    private const double ClosedLoopRate = 200_000;

    /// <summary>A ring that holds two seconds of messages, within bounds: 256 KiB to 64 MiB.</summary>
    /// <param name="rate">Messages per second of the stream; 0 where each waits for the last one.</param>
    /// <param name="consumers">How many answer each message.</param>
    public static StampRing ForRate(double rate, int consumers)
    {
        var perSecond = (rate > 0 ? rate : ClosedLoopRate) * Math.Max(1, consumers);
        return new StampRing((int)Math.Clamp(perSecond * SecondsHeld, Least, Most));
    }
}
