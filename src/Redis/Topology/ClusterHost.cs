namespace RedisLatency.Redis.Topology;

/// <summary>
/// How a cluster writes a host that it does not know: nothing, before a node has heard from others what its address
/// is, or <c>?</c> where it should announce a name that it does not have (<c>cluster-preferred-endpoint-type</c>).
/// </summary>
internal static class ClusterHost
{
    public static bool IsKnown(ReadOnlySpan<byte> host) => !host.IsEmpty && !host.SequenceEqual("?"u8);

    public static bool IsKnown(string host) => host.Length > 0 && host != "?";
}
