namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>
/// The series that sections and verdicts ask for, and what the series that belong to one are called: those of one
/// operation, the bounds of an interval, and the magnitudes of what is negative.
/// </summary>
public static class Measured
{
    /// <summary>From when an operation was sent until its reply was there.</summary>
    public const string Service = "service";

    /// <summary>From when an operation was due until its reply was there.</summary>
    public const string Response = "response";

    /// <summary>From when a value was sent to when it was at the destination: between its two bounds.</summary>
    public const string Delay = "delay";

    /// <summary>The least that each delay can have been.</summary>
    public const string DelayLower = Delay + Lower;

    /// <summary>The most that each delay can have been.</summary>
    public const string DelayUpper = Delay + Upper;

    /// <summary>The delay from when the value was due.</summary>
    public const string DelayFromIntended = "delay-intended";

    /// <summary>The most of that.</summary>
    public const string DelayFromIntendedUpper = DelayFromIntended + Upper;

    /// <summary>How late a value, a message or an operation was sent, after it was due.</summary>
    public const string Lateness = "lateness";

    /// <summary>From when a synchroniser had read a key or command until the target had answered it.</summary>
    public const string Lag = "lag";

    /// <summary>How far the offset of two clocks may be off.</summary>
    public const string ClockError = "clock-error";

    private const string Lower = "-lower";
    private const string Upper = "-upper";
    private const string Negatives = "-negative";

    /// <summary>The lower bounds of a series whose values are known between two.</summary>
    public static string LowerOf(string series) => series + Lower;

    /// <summary>The upper bounds of such a series.</summary>
    public static string UpperOf(string series) => series + Upper;

    /// <summary>The magnitudes of the negative values of a series, in the interval log.</summary>
    public static string NegativesOf(string series) => series + Negatives;

    /// <summary>The series whose negative values these are; null where they are no such.</summary>
    public static string? OfNegatives(string series) =>
        series.EndsWith(Negatives, StringComparison.Ordinal) ? series[..^Negatives.Length] : null;

    /// <summary>The service or response times of one operation.</summary>
    public static string OfOperation(string operation, string series) => $"{operation}-{series}";

    /// <summary>Whose service or response times these are; null where of all, or none.</summary>
    public static string? OperationOf(string series) =>
        series.LastIndexOf('-') is > 0 and var cut && series[(cut + 1)..] is Service or Response ? series[..cut] : null;
}
