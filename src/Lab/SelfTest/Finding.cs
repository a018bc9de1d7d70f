using System.Globalization;
using RedisLatency.Reports.Output;

namespace RedisLatency.Lab.SelfTest;

/// <summary>One thing that was planted, beside what was reported of it.</summary>
internal sealed record Finding(string What, string Planted, string Reported, bool Holds);

internal sealed record RowOutcome
{
    public required string Row { get; init; }

    public required string Title { get; init; }

    public required RowVerdict Verdict { get; init; }

    public string? Reason { get; init; }

    public IReadOnlyList<Finding> Findings { get; init; } = [];
}

internal enum RowVerdict
{
    Pass,

    /// <summary>Something planted was not reported.</summary>
    Miss,

    /// <summary>This machine cannot do it.</summary>
    Skipped,

    /// <summary>It could not be lived to its end.</summary>
    Failed,

    Stopped,
}

internal static class Amount
{
    /// <summary>A duration of either sign: <c>-3.002 ms</c>.</summary>
    public static string Of(double nanoseconds) =>
        nanoseconds < 0 ? $"-{Quantity.Duration(-nanoseconds)}" : Quantity.Duration(nanoseconds);

    public static string Ppm(double ppm) => string.Create(CultureInfo.InvariantCulture, $"{ppm:0.000} ppm");

    public static string Count(long? count) => count is { } known ? Quantity.Count(known) : Quantity.None;
}
