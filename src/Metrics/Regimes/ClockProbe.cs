namespace RedisLatency.Metrics.Regimes;

/// <summary>
/// One exchange between two hosts, stamped four times: A sends, B receives, B sends back, A has it again.
/// Nanoseconds of the monotonic clock of the host that stamps.
/// </summary>
/// <param name="SentNs">When A sent it, on A's clock (t1).</param>
/// <param name="ReceivedNs">When B had it, on B's clock (t2).</param>
/// <param name="EchoedNs">When B sent it back, on B's clock (t3).</param>
/// <param name="ReturnedNs">When A had it again, on A's clock (t4).</param>
public readonly record struct ClockProbe(long SentNs, long ReceivedNs, long EchoedNs, long ReturnedNs)
{
    /// <summary>The round trip without what B kept it for: what the two paths took together.</summary>
    public long NetworkNs => ReturnedNs - SentNs - (EchoedNs - ReceivedNs);
}

/// <summary>
/// Huygens' coded probes (Geng et al., NSDI 2018, section 3.1): a pair whose gap arrives as it was sent met no queue on
/// the way, or both met the same one.
/// </summary>
public static class CodedPairs
{
    /// <summary>How much a gap may change on the way, in nanoseconds, and still count as unchanged.</summary>
    public const long DefaultToleranceNs = 10_000;

    /// <summary>Whether the gap arrived at B as A sent it.</summary>
    public static bool IsCleanForward(in ProbePair pair, long toleranceNs = DefaultToleranceNs) =>
        IsClean(pair.First.SentNs, pair.Second.SentNs, pair.First.ReceivedNs, pair.Second.ReceivedNs, toleranceNs);

    /// <summary>Whether the gap arrived at A as B sent it back.</summary>
    public static bool IsCleanBack(in ProbePair pair, long toleranceNs = DefaultToleranceNs) =>
        IsClean(pair.First.EchoedNs, pair.Second.EchoedNs, pair.First.ReturnedNs, pair.Second.ReturnedNs, toleranceNs);

    private static bool IsClean(long sent, long sentNext, long arrived, long arrivedNext, long toleranceNs) =>
        Math.Abs(arrivedNext - arrived - (sentNext - sent)) < toleranceNs;
}
