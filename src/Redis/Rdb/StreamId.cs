namespace RedisLatency.Redis.Rdb;

/// <summary>The id of a stream's entry.</summary>
internal readonly record struct StreamId(ulong Ms, ulong Sequence) : IComparable<StreamId>
{
    public int CompareTo(StreamId other) =>
        Ms != other.Ms ? Ms.CompareTo(other.Ms) : Sequence.CompareTo(other.Sequence);

    public override string ToString() => FormattableString.Invariant($"{Ms}-{Sequence}");
}
