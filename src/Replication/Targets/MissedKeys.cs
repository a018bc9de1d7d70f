using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication.Targets;

// Commands that do not find their key at the target: it had expired there, as the target is behind or its clock ahead.
// A source passes on such a command only where it found the key. And those that need none, and began it anew.
internal sealed class MissedKeys(RequestCommands commands)
{
    private const string NoSuchKey = "ERR no such key";

    public const string Reason =
        "the key had expired at the target before the command came that needs it (it is behind, or its clock is ahead)";

    private static readonly string[] Missing =
    [
        NoSuchKey, "ERR index out of range", "ERR The XGROUP subcommand requires the key to exist",
        "ERR could not decode requested zset member", "ERR The ID specified in XSETID is smaller", "NOGROUP ",
    ];

    // Whether an error is of a command that did not find its key, or not all of it.
    public static bool IsMissed(in SentUnit unit, string error) => unit.NeedsKey && error == NoSuchKey
        || (unit.IsLate && Missing.Any(text => error.StartsWith(text, StringComparison.Ordinal)));

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
            if (!one.Unit.NeedsKey || command is not { Command.NeedsKey: true, Keys: not null }
                || !FindsNone(one.Unit.Kind == UnitKind.Transaction ? command.Place : 0, reply))
            {
                CountOutlived(one, command);
            }
            else if (command.EndsAtMs is null || command.EndsAtMs > UnixTime.NowMs())
            {
                CountMissed(one, command, Encoding.Latin1.GetBytes(command.Named[0]), behind);
            }
        }
    }

    private static bool MayFindNone(in SentUnit unit, ReadOnlySpan<byte> reply) => unit.Kind == UnitKind.Transaction
        ? reply.IndexOf(":0\r\n"u8) >= 0 || reply.IndexOf("-1\r\n"u8) >= 0 || reply.IndexOf("_\r\n"u8) >= 0
        : reply.StartsWith(":0\r"u8) || reply.StartsWith("$-"u8) || reply.StartsWith("*-"u8) || reply[0] == '_';

    // What is made of a key that lacks something lacks it as well.
    private static void CountOutlived(TurnedAway one, KeyedCommand command)
    {
        var (outlived, own) = (one.Counts.Outlived, one.Unit.Database);
        var (name, named, other) = (command.Command?.Name, command.Named, command.Databases.One ?? own);
        var made = command.Command?.MadeKey(named.Count) ?? -1;
        var lacks = one.Unit.IsLate || (command.Keys is null && outlived.Count > 0)
            || named.Where((_, i) => i != made).Any(key => outlived.Has(own, key));
        switch (name)
        {
            case "FLUSHALL" or "FLUSHDB":
                outlived.Empty(name == "FLUSHDB" ? own : null);
                break;
            case "SWAPDB" when command.Databases.Other is { } second:
                outlived.Swap(other, second);
                break;
            case "RENAME" or "RENAMENX" or "COPY" or "MOVE" when named.Count > 0:
                lacks = one.Unit.IsLate || outlived.Has(own, named[0]);
                if (name != "COPY")
                    outlived.Set(own, named[0], isOutlived: false);
                outlived.Set(other, named[^1], lacks);
                break;
            default:
                foreach (var key in made < 0 ? named : [named[made]])
                {
                    if (lacks || made >= 0 || command.Effect == CommandEffect.Replaces)
                        outlived.Set(own, key, lacks && command.Effect != CommandEffect.Replaces);
                }

                break;
        }
    }

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
