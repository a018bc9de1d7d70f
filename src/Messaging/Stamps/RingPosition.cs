using System.Runtime.InteropServices;

namespace RedisLatency.Messaging.Stamps;

/// <summary>
/// One side's own numbers of a ring, away from the other side's by two lines of the cache, which processors fetch in
/// pairs: without the distance every take would slow down the next append.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingPosition
{
    /// <summary>How many values this side has appended, or taken.</summary>
    [FieldOffset(128)]
    internal long Value;

    /// <summary>The other side's number when this side last looked.</summary>
    [FieldOffset(136)]
    internal long OtherSeen;

    [FieldOffset(144)]
    internal long Overflowed;
}
