using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Adds and subtracts structures of nothing but counts, field by field: a count that is declared is added up, too.
/// </summary>
internal static class FieldCounts
{
    /// <typeparam name="T">All of its fields are <see cref="long"/>.</typeparam>
    public static void Add<T>(ref T sum, in T other)
        where T : unmanaged
    {
        var fields = MemoryMarshal.Cast<T, long>(new Span<T>(ref sum));
        var added = MemoryMarshal.Cast<T, long>(new ReadOnlySpan<T>(in other));
        for (var i = 0; i < fields.Length; i++)
            fields[i] += added[i];
    }

    /// <typeparam name="T">All of its fields are <see cref="long"/>.</typeparam>
    public static T Difference<T>(T now, in T before)
        where T : unmanaged
    {
        var fields = MemoryMarshal.Cast<T, long>(new Span<T>(ref now));
        var earlier = MemoryMarshal.Cast<T, long>(new ReadOnlySpan<T>(in before));
        for (var i = 0; i < fields.Length; i++)
            fields[i] -= earlier[i];
        return now;
    }
}
