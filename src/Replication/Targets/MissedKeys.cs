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

    public static bool MayBeTold(in SentUnit unit, ReadOnlySpan<byte> reply) => unit.Kind == UnitKind.Transaction
        ? reply.IndexOf(":0\r\n"u8) >= 0 || reply.IndexOf("-1\r\n"u8) >= 0 || reply.IndexOf("_\r\n"u8) >= 0
        : reply.StartsWith(":0\r"u8) || reply.StartsWith("$-"u8) || reply.StartsWith("*-"u8) || reply[0] == '_';

    // What stands behind it and is carried out yet may make good for it, or was carried out before and removed the key.
    public void Count(TurnedAway one, RespCursor reply, IEnumerable<TurnedAway> behind)
    {
        if (!one.Unit.NeedsKey)
            return;
        foreach (var command in commands.Find(one.Request))
        {
            if (command is not { Command.NeedsKey: true, Keys: { } keys } || command.EndsAtMs <= UnixTime.NowMs()
                || !FindsNone(one.Unit.Kind == UnitKind.Transaction ? command.Place : 0, reply))
            {
                continue;
            }

            var others = behind.Where(other => other.Unit.Database == one.Unit.Database)
                .SelectMany(other => commands.Find(other.Request)).Where(command.SharesKeyWith).ToList();
            if (others.Exists(other => other is { Effect: CommandEffect.Replaces, Keys: not null }))
                continue;
            var key = Encoding.Latin1.GetBytes(keys.First());
            if (one.Unit.WasSent && (command.Effect != CommandEffect.Keeps || command.Command.Name == "PERSIST"
                || others.Exists(other => other.Effect is not (CommandEffect.Keeps or CommandEffect.Adds))))
            {
                one.Counts.CountInDoubt(key);
            }
            else
            {
                one.Counts.Skip(Reason, key);
            }
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
