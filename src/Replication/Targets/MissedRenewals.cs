using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication.Targets;

// Commands that give a key another time to live and do not find it at the target: it had expired there, as the target
// is behind or its clock ahead. A source sends such a command only for a key that it has.
internal sealed class MissedRenewals(RequestCommands commands)
{
    public const string Reason =
        "the key had expired at the target before its new time to live came (it is behind, or its clock is ahead)";

    private readonly HashSet<string> _mayBeGone = [];

    // They are carried out twice: what stands before them does not find what they took away.
    public void NoteRepeated(IEnumerable<KeyedCommand> repeated)
    {
        foreach (var command in repeated)
        {
            if (command.Effect is not (CommandEffect.Keeps or CommandEffect.Adds))
                _mayBeGone.UnionWith(command.Keys ?? []);
        }
    }

    public void ForgetRepeated() => _mayBeGone.Clear();

    public static bool MayBeTold(in SentUnit unit, ReadOnlySpan<byte> reply) => unit.Kind == UnitKind.Transaction
        ? reply.IndexOf(":0\r\n"u8) >= 0
        : reply.StartsWith(":0\r"u8);

    public void Count(TurnedAway settled, RespCursor reply)
    {
        if (settled.Unit.RenewsKey)
            Count(settled.Unit, settled.Request, reply, settled.Counts);
    }

    public void Count(in SentUnit unit, ReadOnlySpan<byte> request, RespCursor reply, SyncCounts counts)
    {
        foreach (var command in commands.Find(request))
        {
            if (command is { Command.Effect: CommandEffect.Keeps, Keys: { } keys }
                && IsZero(unit.Kind == UnitKind.Transaction ? command.Place : 0, reply)
                && !(unit.WasSent && MayFail(command)))
            {
                counts.Skip(Reason, Encoding.Latin1.GetBytes(keys.First()));
            }
        }
    }

    // The second time.
    private bool MayFail(KeyedCommand command) => command.Effect != CommandEffect.Keeps
        || command.Command?.Name == "PERSIST" || _mayBeGone.Overlaps(command.Keys ?? []);

    // Of what EXEC answers the element at a place that counts from 1.
    private static bool IsZero(int place, RespCursor reply)
    {
        for (var at = 0; at < place; at++)
        {
            for (var inside = at == 0 ? 0 : reply.Children; inside > 0 && reply.MoveNext(); inside--)
                inside += reply.Children;
            if (!reply.MoveNext())
                return false;
        }

        return reply is { Type: RespType.Integer, Number: 0 };
    }
}
