using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Sync.Verify;

/// <summary>What a comparison comes to, as a record has it.</summary>
internal sealed class VerifyFindings(
    VerifyCounts counts, VerifiedEnd source, VerifiedEnd destination, bool keysOnly, bool isWhole, long durationNs)
{
    private string Equal =>
        keysOnly ? "types, lengths and times to live are equal" : "source and destination are equal";

    public RunSummary Summary => new()
    {
        Name = "verify",
        DurationNs = durationNs,
        Metrics = VerifyMetrics.Recorded(counts),
        Rates = new MessageRates { Achieved = counts.Read * 1e9 / Math.Max(durationNs, 1) },
        Verify = new VerifyResult
        {
            Source = source.Server.Target.Name,
            Destination = destination.Server.Target.Name,
            Differences =
            [
                .. Enum.GetValues<DifferenceKind>().Where(kind => counts.Of(kind) > 0).Select(kind =>
                    new DifferenceCount(
                        kind.ToString().ToLowerInvariant(), counts.FirstOf(kind), counts.Of(kind))),
            ],
            NotCompared = VerifyCatalogue.NotComparedBy(keysOnly),
        },
    };

    /// <summary>The condition that a comparison is; none where it ended before, and had found none.</summary>
    public IEnumerable<ThresholdResult> Conditions
    {
        get
        {
            if (counts.Differences == 0 && !isWhole)
                yield break;
            var holds = counts.Differences == 0;
            yield return new ThresholdResult
            {
                Expression = Equal,
                Measured = counts.Differences,
                Held = holds,
                Reason = holds ? $"{Equal}: holds for the {Quantity.Count(counts.Equal)} keys that were compared"
                    : $"{Equal}: does not hold, as {Quantity.Count(counts.Differences)} keys differ",
            };
        }
    }

    public IEnumerable<string> Faults
    {
        get
        {
            if (counts.Unread > 0)
                yield return $"{Quantity.Count(counts.Unread)} keys could not be read: {counts.WhyUnread}";
            if (source.HaveSlotsMoved() || destination.HaveSlotsMoved())
            {
                yield return "Slots moved while they were scanned, or a primary does not say which it has: keys may "
                    + "have been passed by. Compare again.";
            }
        }
    }

    public IEnumerable<string> Doubts
    {
        get
        {
            if (!isWhole)
                yield return "The comparison did not come to its end: not all keys were compared.";
            if (counts.Unsettled > 0)
            {
                yield return $"{Quantity.Count(counts.Unsettled)} keys changed in every round, the first "
                    + $"{counts.FirstUnsettled}: whether they are equal is not known (--rounds, --pause).";
            }

            if (counts.Incomparable > 0)
            {
                yield return $"{Quantity.Count(counts.Incomparable)} keys are of types that only their module can "
                    + $"compare, and their DUMP is not the same, the first {counts.FirstIncomparable}.";
            }

            if (counts.Behind > 0)
            {
                yield return $"A replica of the source was still {Quantity.Count(counts.Behind)} bytes behind when it "
                    + "was waited for no longer: differences may be what it has not got yet (--reconnect-timeout).";
            }
        }
    }
}
