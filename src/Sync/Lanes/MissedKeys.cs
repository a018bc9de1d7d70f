using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// Commands that did not find at the target what they found at the source, which passes them on only then: the answer
/// says so. It is counted at once.
/// </summary>
internal sealed class MissedKeys(RequestCommands commands, LaneRules rules)
{
    public const string NotClaimed = "a pending entry of a stream's group that was deleted from the stream";

    // Cheap, and true more often than it is so.
    public static bool MayConcern(in SentUnit unit, ReadOnlySpan<byte> reply) =>
        (unit.NeedsKey && MayFindNone(unit, reply))
        || (unit.Part != ValuePart.None && reply.StartsWith("*0\r"u8));

    public void Count(RefusedRequest one, RespCursor reply)
    {
        // Of the parts of a value XCLAIM alone may answer so: it takes no entry that is not in the stream.
        if (one.Unit.Part != ValuePart.None && reply is { Type: RespType.Array, IsNull: false, Children: 0 })
            one.Counts.Skip(NotClaimed, one.Request.AsSpan(one.Unit.KeyStart - one.Unit.Start, one.Unit.KeyLength));
        // Without a mark one that is sent again may have been carried out, and one behind it as well.
        if (!one.Unit.NeedsKey || (one.Unit.WasSent && one.Unit.Mark == 0))
            return;
        foreach (var command in commands.Find(one.Request))
        {
            if (command is { Command.NeedsKey: true, Keys: not null }
                && FindsNone(one.Unit.Kind == UnitKind.Transaction ? command.Place : 0, reply)
                && (command.EndsAtMs is null || command.EndsAtMs > rules.Clock.NowMs))
            {
                Miss(one, command.Shown);
            }
        }
    }

    /// <summary>Whether an error is due to what was left out as asked.</summary>
    public bool Takes(RefusedRequest one, string error)
    {
        if (rules.ExpectsKeys || !ReplyOutcomes.SaysNotThere(error)
            || one.Unit is not { Kind: UnitKind.Command or UnitKind.Transaction, Part: ValuePart.None })
        {
            return false;
        }

        Miss(one, commands.Find(one.Request) is [var command, ..] ? command.Shown : error);
        return true;
    }

    private void Miss(RefusedRequest one, string command)
    {
        if (one.Counts.CountMissed(command) == 1 && rules.ExpectsKeys)
            rules.Events.Note("missed-key", $"{command} did not find at the target what it found at the source.");
    }

    private static bool MayFindNone(in SentUnit unit, ReadOnlySpan<byte> reply) => unit.Kind == UnitKind.Transaction
        ? reply.IndexOf(":0\r\n"u8) >= 0 || reply.IndexOf("-1\r\n"u8) >= 0 || reply.IndexOf("_\r\n"u8) >= 0
        : reply.StartsWith(":0\r"u8) || reply.StartsWith("$-"u8) || reply.StartsWith("*-"u8) || reply[0] == '_';

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
