using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Messaging.Tests.OneWay;

/// <summary>Two clocks whose offset is planted, and messages whose delays are.</summary>
internal sealed class OneWayWorld
{
    public const long Second = 1_000_000_000;
    public const ulong Consumer = 7;

    private long _sequence;

    /// <summary>The consumer's clock minus the producer's at time 0.</summary>
    public long OffsetNs { get; init; } = 123_456_789;

    public double SkewPpm { get; init; }

    /// <summary>When the consumer's clock jumps, and by how much.</summary>
    public (long AtNs, long ByNs) Step { get; init; } = (long.MaxValue, 0);

    public long ThetaAt(long producerNs) => OffsetNs + (long)Math.Round(SkewPpm * 1e-6 * producerNs)
        + (producerNs >= Step.AtNs ? Step.ByNs : 0);

    /// <summary>A message that took so long there, was kept so long, and took so long back.</summary>
    public MessageStamps Message(long sent, long forward, long residence, long back, long lateness = 0)
    {
        var receipt = sent + forward;
        var echo = receipt + residence;
        return new MessageStamps(
            Consumer, 0, _sequence++, sent - lateness, sent, receipt + ThetaAt(receipt), echo + ThetaAt(echo),
            echo + back);
    }

    /// <summary>The true window of a piece of time, or one that is wrong by so much.</summary>
    public OffsetWindow Window(long start, long end, long wrongBy = 0, long error = 1_000)
    {
        var reference = start + ((end - start) / 2);
        return new OffsetWindow
        {
            StartNs = start,
            EndNs = end,
            ReferenceNs = reference,
            OffsetNs = ThetaAt(reference) + wrongBy,
            SkewPpm = SkewPpm,
            SkewLowPpm = SkewPpm,
            SkewHighPpm = SkewPpm,
            ErrorAtStartNs = error,
            ErrorAtReferenceNs = error,
            ErrorAtEndNs = error,
            DriftPpm = 100,
            ProbeLowNs = 0,
            ProbeHighNs = 0,
            Break = start == Step.AtNs ? OffsetBreak.Step : OffsetBreak.None,
        };
    }
}
