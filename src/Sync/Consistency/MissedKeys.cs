using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Consistency;

// Commands that do not find their key at the target, or not all of it: it had expired there, as the target is behind or
// its clock ahead. A source passes on such a command only where it found the key. And those that need none, and began
// it anew.
internal sealed class MissedKeys(RequestCommands commands, bool expectsKeys, ServerClock clock)
{
    private const string NoSuchKey = "ERR no such key";

    public const string NotClaimed = "a pending entry of a stream's group that was deleted from the stream";

    private static readonly string[] Missing =
    [
        NoSuchKey, "ERR index out of range", "ERR The XGROUP subcommand requires the key to exist",
        "ERR could not decode requested zset member", "ERR The ID specified in XSETID is smaller", "NOGROUP ",
    ];

    // Of a command that comes behind those of the shard to which its key has moved.
    private static readonly string[] Overtaken =
        ["ERR The ID specified in XADD is equal or smaller", "BUSYGROUP ", "WRONGTYPE "];

    // What a key of another type, or another value, can lead to.
    private static readonly string[] Differing = ["WRONGTYPE ", "BUSYGROUP ", "NOGROUP ", "ERR "];

    private static readonly string[] OfItself = ["ERR unknown ", "ERR wrong number ", "ERR syntax ", "ERR Protocol "];

    // Whether there is something to be counted.
    public static bool Concerns(in SentUnit unit, ReadOnlySpan<byte> reply, SyncCounts counts) =>
        unit.IsLate || counts.Lacking.IsAny || (unit.NeedsKey && MayFindNone(unit, reply))
        || (unit.Part != ValuePart.None && reply.StartsWith("*0\r"u8));

    // Whether an error is of a command that did not find its key as the source had it. It is counted.
    public bool Takes(RefusedRequest one, string error)
    {
        if (!MayTake(one.Unit, error, one.Counts))
            return false;
        var found = commands.Find(one.Request);
        if (!IsMissed(one.Unit, error, one.Counts)
            && !found.Exists(command => Lack(one, command, command.Named) != KeyLack.None))
        {
            return false;
        }

        // Which command of a transaction it was is not asked.
        bool MayBe(KeyedCommand command) => one.Unit.Kind != UnitKind.Transaction || LacksAny(one, command)
            || (error == NoSuchKey && command.Command?.Name is "RENAME" or "RENAMENX" or "LSET");
        var isKnown = found.Exists(MayBe);
        foreach (var command in found)
        {
            var isIt = !isKnown || MayBe(command);
            Follow(one, command, !isIt ? KeyLack.None : expectsKeys ? KeyLack.Certain : KeyLack.Possible);
        }

        return true;
    }

    private bool IsMissed(in SentUnit unit, string error, SyncCounts counts) =>
        (unit.NeedsKey && error == NoSuchKey)
        || ((unit.IsLate || counts.WasGivenKeys || !expectsKeys) && IsAnyOf(Missing, error))
        || (counts.WasGivenKeys && IsAnyOf(Overtaken, error));

    // Cheap, and true more often than that.
    private bool MayTake(in SentUnit unit, string error, SyncCounts counts) =>
        unit is { Kind: UnitKind.Command or UnitKind.Transaction, Part: ValuePart.None }
        && (IsMissed(unit, error, counts)
            || (counts.Lacking.IsAny && IsAnyOf(Differing, error) && !IsAnyOf(OfItself, error)));

    // What stands behind it and is carried out yet was perhaps carried out before, and removed the key.
    public void Count(RefusedRequest one, RespCursor reply, IEnumerable<RefusedRequest> behind)
    {
        // Of the parts of a value XCLAIM alone may answer so: it takes no entry that is not in the stream.
        if (one.Unit.Part != ValuePart.None && reply is { Type: RespType.Array, IsNull: false, Children: 0 })
            one.Counts.Skip(NotClaimed, one.Request.AsSpan(one.Unit.KeyStart - one.Unit.Start, one.Unit.KeyLength));
        if (!one.Unit.NeedsKey && !one.Unit.IsLate && !one.Counts.Lacking.IsAny)
            return;
        foreach (var command in commands.Find(one.Request))
        {
            var isMissed = one.Unit.NeedsKey && command is { Command.NeedsKey: true, Keys: not null }
                && FindsNone(one.Unit.Kind == UnitKind.Transaction ? command.Place : 0, reply)
                && (command.EndsAtMs is null || command.EndsAtMs > clock.NowMs);
            Follow(one, command, isMissed ? Judge(one, command, behind) : KeyLack.None);
        }
    }

    private static bool IsAnyOf(string[] beginnings, string error) =>
        beginnings.Any(text => error.StartsWith(text, StringComparison.Ordinal));

    private static bool MayFindNone(in SentUnit unit, ReadOnlySpan<byte> reply) => unit.Kind == UnitKind.Transaction
        ? reply.IndexOf(":0\r\n"u8) >= 0 || reply.IndexOf("-1\r\n"u8) >= 0 || reply.IndexOf("_\r\n"u8) >= 0
        : reply.StartsWith(":0\r"u8) || reply.StartsWith("$-"u8) || reply.StartsWith("*-"u8) || reply[0] == '_';

    private KeyLack Judge(RefusedRequest one, KeyedCommand command, IEnumerable<RefusedRequest> behind)
    {
        // What it was to take away is gone, and may have been the last.
        if (command.Command?.Name is "LPOP" or "RPOP" && one.Unit.IsLateAt(command.Place))
            return KeyLack.Possible;
        var others = behind.Where(other => other.Unit.Database == one.Unit.Database)
            .SelectMany(other => commands.Find(other.Request)).Where(command.SharesKeyWith);
        return one.Unit.WasSent && (command.Effect != CommandEffect.Keeps || command.Command?.Name == "PERSIST"
            || others.Any(other => other.Effect is not (CommandEffect.Keeps or CommandEffect.Adds)))
            ? KeyLack.Possible
            : KeyLack.Certain;
    }

    // What is made of a key that lacks something may lack it as well.
    private void Follow(RefusedRequest one, KeyedCommand command, KeyLack missed)
    {
        var (lacking, own) = (one.Counts.Lacking, command.Database ?? one.Unit.Database);
        var (name, named, other) = (command.Command?.Name, command.Named, command.Databases.One ?? own);
        var made = command.Command?.MadeKey(named.Count) ?? -1;
        var isLate = one.Unit.IsLateAt(command.Place);
        var replaces = command.Effect == CommandEffect.Replaces
            || (command is { Command.NeedsKey: true, EndsAtMs: { } end } && end <= clock.NowMs);
        switch (name)
        {
            case "FLUSHALL" or "FLUSHDB":
                lacking.Empty(name == "FLUSHDB" ? own : null);
                break;
            case "SWAPDB" when command.Databases.Other is { } second:
                lacking.Swap(other, second);
                break;
            case not null when named.Count > 0 && command.Command!.Has(CommandFlags.Carries):
                var lack = Most(missed, isLate ? KeyLack.Possible : KeyLack.None, lacking.Of(own, named[0]));
                if (command.Command.Has(CommandFlags.Moves))
                    lacking.Set(own, named[0], KeyLack.None);
                lacking.Set(other, named[^1], lack);
                break;
            default:
                var others = isLate || Lack(one, command, named.Where((_, i) => i != made)) != KeyLack.None
                    ? KeyLack.Possible
                    : KeyLack.None;
                foreach (var key in made < 0 ? named : [named[made]])
                {
                    if (replaces)
                        lacking.Set(own, key, KeyLack.None);
                    else if (made >= 0 || Most(others, missed) != KeyLack.None)
                        lacking.Set(own, key, Most(others, missed, made < 0 ? lacking.Of(own, key) : KeyLack.None));
                }

                break;
        }
    }

    private static bool LacksAny(RefusedRequest one, KeyedCommand command) =>
        one.Unit.IsLateAt(command.Place) || Lack(one, command, command.Named) != KeyLack.None;

    private static KeyLack Lack(RefusedRequest one, KeyedCommand command, IEnumerable<string> keys)
    {
        var (lacking, database) = (one.Counts.Lacking, command.Database ?? one.Unit.Database);
        // A script, or SORT by a pattern, may use keys that it does not name.
        return command.Keys is null && lacking.IsAny
            ? KeyLack.Possible
            : keys.Select(key => lacking.Of(database, key)).Append(KeyLack.None).Max();
    }

    private static KeyLack Most(params ReadOnlySpan<KeyLack> lacks)
    {
        var most = KeyLack.None;
        foreach (var lack in lacks)
            most = lack > most ? lack : most;
        return most;
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
