using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication.Targets;

// Commands that do not find their key at the target: it had expired there, as the target is behind or its clock ahead.
// A source passes on such a command only where it found the key.
internal sealed class MissedKeys(RequestCommands commands)
{
    public const string NoSuchKey = "ERR no such key";

    public const string Reason =
        "the key had expired at the target before the command came that needs it (it is behind, or its clock is ahead)";

    // Whether there is something to be counted.
    public static bool Concerns(in SentUnit unit, ReadOnlySpan<byte> reply, SyncCounts counts) =>
        unit.IsLate || counts.Outlived.IsAny || (unit.NeedsKey && MayFindNone(unit, reply));

    // What stands behind it and is carried out yet may make good for it, or was carried out before and removed the key.
    public void Count(TurnedAway one, RespCursor reply, IEnumerable<TurnedAway> behind)
    {
        if (!one.Unit.NeedsKey && !one.Unit.IsLate && !one.Counts.Outlived.IsAny)
            return;
        foreach (var command in commands.Find(one.Request))
        {
            if (!one.Unit.NeedsKey || command is not { Command.NeedsKey: true, Keys: { } keys }
                || !FindsNone(one.Unit.Kind == UnitKind.Transaction ? command.Place : 0, reply))
            {
                CountOutlived(one, command);
            }
            else if (command.EndsAtMs is null || command.EndsAtMs > UnixTime.NowMs())
            {
                CountMissed(one, command, Encoding.Latin1.GetBytes(keys.First()), behind);
            }
        }
    }

    private static bool MayFindNone(in SentUnit unit, ReadOnlySpan<byte> reply) => unit.Kind == UnitKind.Transaction
        ? reply.IndexOf(":0\r\n"u8) >= 0 || reply.IndexOf("-1\r\n"u8) >= 0 || reply.IndexOf("_\r\n"u8) >= 0
        : reply.StartsWith(":0\r"u8) || reply.StartsWith("$-"u8) || reply.StartsWith("*-"u8) || reply[0] == '_';

    private static void CountOutlived(TurnedAway one, KeyedCommand command)
    {
        var outlived = one.Counts.Outlived;
        if (command.Command?.Name is "FLUSHALL" or "FLUSHDB")
            outlived.Empty(command.Command.Name == "FLUSHDB" ? one.Unit.Database : null);
        foreach (var key in Written(command))
        {
            if (command.Effect == CommandEffect.Replaces)
                outlived.Remove(one.Unit.Database, key);
            else if (one.Unit.IsLate)
                outlived.Add(one.Unit.Database, key);
        }
    }

    private static IEnumerable<string> Written(KeyedCommand command) => command.Keys is not { } keys ? []
        : command.Command?.MadeKey(keys.Count) is >= 0 and var made ? keys.Skip(made).Take(1)
        : keys;

    private void CountMissed(
        TurnedAway one, KeyedCommand command, ReadOnlySpan<byte> key, IEnumerable<TurnedAway> behind)
    {
        var others = behind.Where(other => other.Unit.Database == one.Unit.Database)
            .SelectMany(other => commands.Find(other.Request)).Where(command.SharesKeyWith).ToList();
        if (others.Exists(other => other is { Effect: CommandEffect.Replaces, Keys: not null }))
            return;
        if (one.Unit.WasSent && (command.Effect != CommandEffect.Keeps || command.Command?.Name == "PERSIST"
            || others.Exists(other => other.Effect is not (CommandEffect.Keeps or CommandEffect.Adds))))
        {
            one.Counts.CountInDoubt(key);
        }
        else
        {
            one.Counts.Skip(Reason, key);
        }
    }

    // Of what EXEC answers the element at a place that counts from 1.
    private static bool FindsNone(int place, RespCursor reply)
    {
        for (var at = 0; at < place; at++)
        {
            for (var inside = at == 0 ? 0 : reply.Children; inside > 0 && reply.MoveNext(); inside--)
                inside += reply.Children;
            if (!reply.MoveNext())
                return false;
        }

        return reply.IsNull || reply is { Type: RespType.Integer, Number: 0 };
    }
}
