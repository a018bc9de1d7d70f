namespace RedisLatency.Server.Delays;

/// <summary>How many bytes a second a way takes, all its connections together.</summary>
internal sealed class LineRate(long bytesPerSecond)
{
    private const double NanosecondsPerSecond = 1e9;

    /// <summary>What a slow line takes in this part of a second is read at once, so that it comes out evenly.</summary>
    private const int GrainsPerSecond = 1000;

    private double _freeNs;

    /// <summary>What should be read at once, at most.</summary>
    public int MostAtOnce { get; } =
        bytesPerSecond > 0 ? (int)Math.Clamp(bytesPerSecond / GrainsPerSecond, 1, int.MaxValue) : int.MaxValue;

    /// <summary>When the last of so many bytes, there since then, has gone.</summary>
    public long SentNs(long arrivedNs, int bytes)
    {
        if (bytesPerSecond <= 0)
            return arrivedNs;
        _freeNs = Math.Max(_freeNs, arrivedNs) + (bytes * NanosecondsPerSecond / bytesPerSecond);
        return (long)_freeNs;
    }
}
