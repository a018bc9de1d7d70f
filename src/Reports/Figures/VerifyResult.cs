namespace RedisLatency.Reports.Figures;

/// <summary>The two servers whose keys were compared, and the differences found.</summary>
public sealed record VerifyResult
{
    /// <summary>What <see cref="NotCompared"/> has where keys were compared without their values.</summary>
    public const string Values = "values";

    /// <summary>The one, without user and password.</summary>
    public required string Source { get; init; }

    /// <summary>The other, without user and password.</summary>
    public required string Destination { get; init; }

    /// <summary>How many keys differ, by what differs; none where they are equal.</summary>
    public IReadOnlyList<DifferenceCount> Differences { get; init; } = [];

    /// <summary>What of a key and its value was not compared, as equal data need not have it equal.</summary>
    public IReadOnlyList<string> NotCompared { get; init; } = [];
}

/// <summary>How many keys differ in one way.</summary>
/// <param name="Kind">missing, extra, type, value or time.</param>
/// <param name="First">The first key.</param>
/// <param name="Count">How many.</param>
public sealed record DifferenceCount(string Kind, string First, long Count);
