using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// A number that one thread writes all the time, alone on its cache lines: objects that are allocated one after the
/// other lie side by side, and without the distance one thread's recording would slow down another's.
/// </summary>
/// <remarks>Twice 128 bytes, because processors fetch lines of 64 bytes in pairs, and Apple's have 128.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct IsolatedCount
{
    [FieldOffset(128)]
    internal long Value;
}
