namespace RedisLatency.Redis.Rdb;

/// <summary>Is shown what is in a value, in the order of the file; spans are valid for the call.</summary>
internal interface IRdbValueVisitor
{
    /// <summary>The next part of a string.</summary>
    void VisitString(ReadOnlySpan<byte> part)
    {
    }

    void VisitItem(ReadOnlySpan<byte> item)
    {
    }

    void VisitMember(ReadOnlySpan<byte> member)
    {
    }

    void VisitScored(ReadOnlySpan<byte> member, ReadOnlySpan<byte> score)
    {
    }

    /// <summary>A field of a hash; the time is in milliseconds since 1970, 0 where it never expires.</summary>
    void VisitField(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiresAtMs)
    {
    }

    /// <summary>An element of an array.</summary>
    void VisitElement(ulong index, ReadOnlySpan<byte> value)
    {
    }

    /// <summary>After an array's elements: where the last one was inserted.</summary>
    void VisitInserted(ulong index)
    {
    }

    /// <summary>An entry of a stream; so many fields follow.</summary>
    void VisitStreamEntry(StreamId id, int fields)
    {
    }

    void VisitStreamField(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
    }

    /// <summary>After the entries.</summary>
    void VisitStreamState(in StreamState state)
    {
    }

    void VisitGroup(ReadOnlySpan<byte> name, StreamId last, long? entriesRead)
    {
    }

    /// <summary>A consumer of the last group; what it has pending follows.</summary>
    void VisitConsumer(ReadOnlySpan<byte> name, int pending)
    {
    }

    /// <summary>An entry that the last consumer has not acknowledged.</summary>
    void VisitPending(StreamId id, in StreamDelivery delivery)
    {
    }

    /// <summary>An entry of the last group that was given back and that no consumer has.</summary>
    void VisitUnowned(StreamId id, in StreamDelivery delivery)
    {
    }

    /// <summary>Ids of producers' messages, by which duplicates are known.</summary>
    void VisitProducers()
    {
    }
}

/// <param name="Length">How many entries it has.</param>
/// <param name="Last">The last id it gave.</param>
/// <param name="Deleted">The last that was deleted; null before Redis 7.0.</param>
/// <param name="Added">How many it ever had; null before Redis 7.0.</param>
internal readonly record struct StreamState(ulong Length, StreamId Last, StreamId? Deleted, ulong? Added);
