namespace RedisLatency.Redis.Rdb;

/// <summary>
/// An RDB file, a DUMP payload or an append-only file is damaged, ends too early, or holds what is not known here. The
/// message names the offset, and the key where one had been read.
/// </summary>
public sealed class RdbException : RedisException
{
    internal RdbException(string problem, long offset, string? key = null, Exception? innerException = null)
        : base($"offset {offset}{(key is null ? string.Empty : $", key {key}")}: {problem}", innerException)
    {
        (Offset, Key) = (offset, key);
    }

    /// <summary>Where in the file or payload, in bytes from its beginning.</summary>
    public long Offset { get; }

    /// <summary>The key whose value is concerned, in quotes; null where it was none's.</summary>
    public string? Key { get; }
}
