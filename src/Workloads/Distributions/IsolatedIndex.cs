using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Distributions;

/// <summary>An index that one worker writes at every draw, alone on its cache lines and their neighbours.</summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct IsolatedIndex
{
    [FieldOffset(128)]
    internal long Value;
}
