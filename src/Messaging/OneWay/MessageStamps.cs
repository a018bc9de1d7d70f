using System.Runtime.InteropServices;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// The stamps of one message, as long as they wait for the offset of the two clocks. Intended, sent and returned are
/// of the producer's clock, received and echoed of the consumer's; nanoseconds.
/// </summary>
/// <param name="Peer">The other process: at a producer the consumer that echoed, at a consumer the producer.</param>
/// <param name="Stream">Which of the producer's parallel streams.</param>
/// <param name="Sequence">The message's number in its stream.</param>
/// <param name="Intended">When the schedule wanted it out.</param>
/// <param name="Sent">When it went.</param>
/// <param name="Received">When the consumer had it.</param>
/// <param name="Echoed">When the consumer sent it back; 0 at a consumer, which keeps only the way there.</param>
/// <param name="Returned">When the producer had it again; 0 likewise.</param>
/// <remarks>64 bytes: a message is one line of the cache.</remarks>
[StructLayout(LayoutKind.Sequential)]
public readonly record struct MessageStamps(
    ulong Peer, long Stream, long Sequence, long Intended, long Sent, long Received, long Echoed, long Returned)
{
    // Two readings of one clock in one process are this far apart at most where they should be equal.
    private const long StampErrorNs = 1_000;

    // Clocks are slewed by up to 83,333 ppm (chrony's maxslewrate): a tenth is more than any two differ in rate.
    private const int RateDifference = 10;

    /// <summary>How long the consumer kept it, by the consumer's clock.</summary>
    public long Residence => Echoed - Received;

    /// <summary>The round trip less the residence: both directions together, whatever the offset is.</summary>
    public long Network => Returned - Sent - (Echoed - Received);

    /// <summary>
    /// Whether clocks can have given these stamps: they are positive, the echo is not before the receipt, and the
    /// consumer did not keep the message for longer than it was away.
    /// </summary>
    public bool ArePossible => ReturnIsPossible(Sent, Received, Echoed, Returned);

    /// <summary>The same of stamps that are not put together yet.</summary>
    internal static bool ReturnIsPossible(long sent, long received, long echoed, long returned)
    {
        var away = returned - sent;
        return received > 0 && echoed >= received && away >= 0
            && echoed - received <= away + StampErrorNs + (away / RateDifference);
    }
}
