namespace RedisLatency.Workloads.Engine;

/// <summary>What an error reply says by its first word.</summary>
internal static class ErrorCode
{
    /// <summary>The codes of RedisException.IsTransient, and OOM, which evictions and expiry end.</summary>
    public static bool MayPass(ReadOnlySpan<byte> error) =>
        Is(error, "LOADING"u8) || Is(error, "BUSY"u8) || Is(error, "TRYAGAIN"u8) || Is(error, "CLUSTERDOWN"u8)
        || Is(error, "MASTERDOWN"u8) || Is(error, "NOREPLICAS"u8) || Is(error, "READONLY"u8)
        || Is(error, "UNBLOCKED"u8) || Is(error, "OOM"u8);

    private static bool Is(ReadOnlySpan<byte> error, ReadOnlySpan<byte> code) =>
        error.StartsWith(code) && (error.Length == code.Length || error[code.Length] == ' ');
}
