using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>A request that the target answered with an error.</summary>
internal sealed record RefusedRequest(SentUnit Unit, byte[] Request, string Error, LaneShare? Share, long ReceivedNs)
{
    private List<KeyedCommand>? _commands;

    // Where another that stands behind it uses the same key: whether that one may be repeated behind it, although it
    // was carried out. Null where it does not.
    public bool? MayBeRepeatedBefore(LaneChunk chunk, in SentUnit unit, LaneRules rules, RequestCommands commands)
    {
        if ((ReplyOutcomes.Of(Error) == ReplyOutcome.BusyKey && !rules.IsOwnKey(Unit))
            || (Unit.Slot >= 0 && unit.Slot >= 0 && Unit.Slot != unit.Slot)
            || (rules.HasOneKey(Unit) && rules.HasOneKey(unit) && !IsOfSameKey(chunk, unit)))
        {
            return null;
        }

        _commands ??= commands.Find(Request);
        var others = commands.Find(chunk.CopyOf(unit));
        var pairs = _commands.SelectMany(_ => others, (earlier, later) => (Earlier: earlier, Later: later))
            .Where(pair => pair.Earlier.SharesKeyWith(pair.Later)).ToList();
        return pairs.Count == 0 ? null
            : unit.IsRepeatable && pairs.TrueForAll(pair => CommandEffects.IsRepeatable(pair.Later.Effect)
                && (CommandEffects.IsRepeatable(pair.Earlier.Effect)
                    || (pair.Earlier.HasOneKey && pair.Later.Effect != CommandEffect.Adds)));
    }

    private bool IsOfSameKey(LaneChunk chunk, in SentUnit unit) => Unit.Database == unit.Database
        && chunk.KeyOf(unit).SequenceEqual(Request.AsSpan(Unit.KeyStart - Unit.Start, Unit.KeyLength));

    public SyncCounts Counts => Share?.Counts ?? throw new InvalidOperationException("No shard gave this request.");
}
