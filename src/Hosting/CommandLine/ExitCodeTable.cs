namespace RedisLatency.Hosting.CommandLine;

internal static class ExitCodeTable
{
    public static IReadOnlyList<(string Code, string Meaning)> Rows { get; } =
    [
        ("0", "measured and valid"),
        ("1", "a fault of our own"),
        ("2", "wrong usage or configuration"),
        ("3", "refused before measuring: unreachable, no rights, preflight, no peer"),
        ("4", "measured, but not valid, and why; also a threshold on a percentile with too few samples"),
        ("5", "the target was lost while measuring"),
        ("6", "results could not be written"),
        ("99", "a threshold, comparison or verification did not hold"),
        ("130, 143", "stopped by a signal; partial results are saved"),
    ];
}
