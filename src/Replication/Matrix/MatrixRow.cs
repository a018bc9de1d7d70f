namespace RedisLatency.Replication.Matrix;

/// <summary>A source, a destination, and how long keys took from the one to the other.</summary>
internal sealed record MatrixRow
{
    /// <summary>The region where keys were written.</summary>
    public required string Source { get; init; }

    /// <summary>The region where they were read.</summary>
    public required string Destination { get; init; }

    /// <summary>
    /// The middles of what the delays can be, where these are no wide intervals; all null where the pair was not
    /// measured.
    /// </summary>
    public required DelayFigures Measured { get; init; }

    /// <summary>The least that they can be.</summary>
    public required DelayFigures Least { get; init; }

    /// <summary>The most that they can be.</summary>
    public required DelayFigures Most { get; init; }

    /// <summary>What was published of such a pair; null where nothing was.</summary>
    public DelayFigures? Published { get; init; }

    /// <summary>How many runs it is made of.</summary>
    public int Runs { get; init; }

    /// <summary>How many of them were doubtful or not valid, or ended early.</summary>
    public int RunsInDoubt { get; init; }

    /// <summary>Keys that were read.</summary>
    public long Read { get; init; }

    /// <summary>Keys that were written and not read, whatever the reason.</summary>
    public long NotRead { get; init; }

    /// <summary>How far the average may be wrong either way, in nanoseconds; null where nothing was measured.</summary>
    public double? AverageError => (Most.Average - Least.Average) / 2;
}
