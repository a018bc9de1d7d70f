namespace RedisLatency.Hosting.Running;

/// <summary>What the process that ran a run ends with: the same in every service and tool.</summary>
public static class ExitCode
{
    public const int Valid = 0;

    /// <summary>A fault of our own.</summary>
    public const int Fault = 1;

    /// <summary>Wrong usage or configuration; nothing was sent.</summary>
    public const int Usage = 2;

    /// <summary>Refused before the measurement began: unreachable, no rights, a failed preflight, no peer.</summary>
    public const int Refused = 3;

    /// <summary>Measured, but not valid; the verdict says why.</summary>
    public const int NotValid = 4;

    /// <summary>The target was lost after the measurement began.</summary>
    public const int TargetLost = 5;

    /// <summary>The results could not be written.</summary>
    public const int ResultsNotWritten = 6;

    /// <summary>A threshold, a comparison or a verification did not hold.</summary>
    public const int ThresholdMissed = 99;

    /// <summary>Stopped by SIGINT; partial results are saved.</summary>
    public const int Interrupted = 130;

    /// <summary>Stopped by SIGTERM or SIGHUP; partial results are saved.</summary>
    public const int Terminated = 143;

    // Two and three end a run before there is anything the later ones could apply to: only our own fault outranks them.
    private static readonly int[] Precedence =
    [
        Fault, Usage, Refused, ResultsNotWritten, TargetLost, NotValid, ThresholdMissed, Interrupted, Terminated, Valid,
    ];

    /// <summary>The one code of a run to which both apply: 1, 6, 5, 4, 99, signal, in this order.</summary>
    /// <exception cref="ArgumentOutOfRangeException">One of them is none of the codes above.</exception>
    public static int Combine(int first, int second) => Precedence[Math.Min(Rank(first), Rank(second))];

    /// <summary>Whether it is one of the codes above.</summary>
    public static bool IsKnown(int code) => Array.IndexOf(Precedence, code) >= 0;

    private static int Rank(int code) =>
        Array.IndexOf(Precedence, code) is var rank and >= 0
            ? rank
            : throw new ArgumentOutOfRangeException(nameof(code), code, "Not an exit code of a run.");
}
