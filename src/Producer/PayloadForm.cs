namespace RedisLatency.Producer;

internal enum PayloadForm
{
    /// <summary>The suite's own frame: stamps, checksum, payload.</summary>
    Frame,

    /// <summary>A plain decimal count, which any consumer can send back.</summary>
    Counter,
}
