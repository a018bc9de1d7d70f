namespace RedisLatency.Sync.Verify;

/// <summary>What is not the same of a key.</summary>
/// <param name="Kind">Which of five.</param>
/// <param name="Part">What of the value: byte, item, field, member, entry, group …; empty where it is the key.</param>
/// <param name="Name">Which of them, as Redis calls it.</param>
/// <param name="Source">What the source has, where that is no data: a type, a time, a length.</param>
/// <param name="Destination">The same of the destination.</param>
internal sealed record Difference(
    DifferenceKind Kind, string Part = "", byte[]? Name = null, string? Source = null, string? Destination = null)
{
    /// <summary>
    /// What the source has there. Where that is the same a round later, the source stood still meanwhile, and the
    /// destination has had a round's time to follow.
    /// </summary>
    public ulong Evidence { get; init; }

    public bool IsSameAs(Difference? other) =>
        other is not null && Kind == other.Kind && Part == other.Part && Evidence == other.Evidence
            && Name.AsSpan().SequenceEqual(other.Name);
}
