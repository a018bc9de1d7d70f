using RedisLatency.Messaging.Echoing;

namespace RedisLatency.Consumer.Serving;

/// <summary>What came on all streams together, beside what belongs to a producer; may be read on any thread.</summary>
internal readonly record struct ServedTotals(
    long Echoed, long Kept, long Plain, long Foreign, long Corrupted, long OtherVersion, long ConnectionsLost,
    long WarmUp)
{
    public long Taken => Echoed + Kept;

    public long Errors => Foreign + Corrupted + OtherVersion + ConnectionsLost;

    public static ServedTotals Of(IReadOnlyList<StreamEcho> echoes)
    {
        var sum = default(ServedTotals);
        for (var i = 0; i < echoes.Count; i++)
        {
            var counts = echoes[i].Counts;
            sum = new ServedTotals(
                sum.Echoed + counts.Echoed,
                sum.Kept + counts.Kept,
                sum.Plain + counts.Plain,
                sum.Foreign + counts.Foreign,
                sum.Corrupted + counts.Corrupted,
                sum.OtherVersion + counts.OtherVersion,
                sum.ConnectionsLost + counts.ConnectionsLost,
                sum.WarmUp + counts.WarmUp);
        }

        return sum;
    }
}
