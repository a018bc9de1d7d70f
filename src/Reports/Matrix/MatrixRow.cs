namespace RedisLatency.Reports.Matrix;

public sealed record MatrixRow
{
    public required string Source { get; init; }
    public required string Destination { get; init; }

    // Of the records: delay, forward-intended or forward; null where the pair was not measured.
    public string? Series { get; init; }

    // The middles of what the delays can be, where these are no wide intervals; all null where the pair was not
    // measured.
    public required DelayFigures Measured { get; init; }
    public required DelayFigures Least { get; init; }
    public required DelayFigures Most { get; init; }
    public DelayFigures? Published { get; init; }
    public int Runs { get; init; }
    public int RunsInDoubt { get; init; }
    public long Read { get; init; }
    public long NotRead { get; init; }

    // How far the writer's and the reader's clock may be off each other, or the two of a way (E), at the worst; 0 of
    // one clock.
    public long ClockErrorNs { get; init; }

    public double? AverageError => ((Most.Average - Least.Average) / 2) + ClockErrorNs;

    public bool IsOf(string source, string destination) =>
        source.Equals(Source, StringComparison.OrdinalIgnoreCase)
        && destination.Equals(Destination, StringComparison.OrdinalIgnoreCase);
}
