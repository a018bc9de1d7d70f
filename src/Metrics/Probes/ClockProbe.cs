namespace RedisLatency.Metrics.Probes;

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
