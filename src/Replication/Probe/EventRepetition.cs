namespace RedisLatency.Replication.Probe;

/// <summary>
/// Which events were told word for word within the last minute, as evictions that go on are. One thread.
/// </summary>
internal sealed class EventRepetition
{
    private const long SilenceNs = 60_000_000_000;

    private readonly Dictionary<string, long> _toldAtNs = [];

    /// <summary>Whether an event repeats one that was told; it is not told then.</summary>
    public bool Is(in SessionEvent happened)
    {
        foreach (var (text, atNs) in _toldAtNs)
        {
            if (happened.AtNs - atNs > SilenceNs)
                _toldAtNs.Remove(text);
        }

        return !_toldAtNs.TryAdd(happened.Text, happened.AtNs);
    }
}
