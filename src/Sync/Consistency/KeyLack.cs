namespace RedisLatency.Sync.Consistency;

/// <summary>Whether a key lacks at the target what the source has.</summary>
internal enum KeyLack
{
    None,
    Possible,
    Certain,
}
