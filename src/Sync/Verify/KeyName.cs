namespace RedisLatency.Sync.Verify;

/// <summary>A key of one server.</summary>
internal readonly record struct KeyName(int Database, byte[] Key)
{
    public bool Equals(KeyName other) => Database == other.Database && Key.AsSpan().SequenceEqual(other.Key);

    public override int GetHashCode() => HashCode.Combine(Database, StableHash.Of(Key));
}
