using System.Buffers.Text;
using System.Text;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

// What a command does to its keys, as far as it matters where it is sent twice, or once more behind one that stands
// before it. All but Changes may be sent twice, and of several keys treat each by itself.
internal enum CommandEffect
{
    // More each time, or by other keys: INCR, RPUSH, RENAME.
    Changes,

    // By what is there: SETNX.
    Conditional,

    // Nothing to the value, but to its time to live: EXPIRE.
    Keeps,

    // Elements come: SADD.
    Adds,

    // Elements go, and with the last one the key and its time to live: SREM.
    Removes,

    // Whatever was there, it is the same afterwards: SET, DEL.
    Replaces,
}

internal static class CommandEffects
{
    // Of all that are asked for options below.
    private const int WordsWithoutOptions = 3;

    public static CommandEffect Of(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        if (entry.Words <= WordsWithoutOptions)
            return command.Effect;
        var isPlain = command.Name switch
        {
            "SET" => !HasWord(batch, entry, 3, "NX", "XX", "KEEPTTL", "IFEQ", "IFNE", "IFDEQ", "IFDNE"),
            "RESTORE" or "RESTORE-ASKING" => HasWord(batch, entry, 4, "REPLACE"),
            "EXPIRE" or "EXPIREAT" or "PEXPIRE" or "PEXPIREAT" => false,
            "ZADD" => !HasWord(batch, entry, 2, "NX", "XX", "GT", "LT"),
            _ => true,
        };
        return command.Name == "ZADD" && HasWord(batch, entry, 2, "INCR") ? CommandEffect.Changes
            : isPlain ? command.Effect
            : CommandEffect.Conditional;
    }

    // Whether one that was carried out too early may be again, behind the earlier one, which was not: with the same
    // outcome as each once in its order.
    public static bool MayBeRepeatedBehind(CommandEffect later, CommandEffect earlier, bool earlierHasOneKey) =>
        later switch
        {
            CommandEffect.Changes => false,
            CommandEffect.Conditional => earlier == CommandEffect.Replaces,
            CommandEffect.Adds => earlier is CommandEffect.Adds or CommandEffect.Keeps or CommandEffect.Replaces,
            CommandEffect.Removes => earlier is CommandEffect.Removes or CommandEffect.Replaces,
            _ => earlier != CommandEffect.Changes || earlierHasOneKey,
        };

    // Databases that a command names: MOVE and COPY one, SWAPDB two.
    public static (int? One, int? Other) DatabasesOf(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        switch (command.Name)
        {
            case "MOVE":
                return (At(batch, entry, 2), null);
            case "SWAPDB":
                return (At(batch, entry, 1), At(batch, entry, 2));
            case "COPY":
                for (var word = 3; word < entry.Words; word++)
                {
                    if (Ascii.EqualsIgnoreCase(batch.Word(entry, word), "DB"u8))
                        return (At(batch, entry, word + 1), null);
                }

                break;
        }

        return (null, null);

        static int? At(SyncBatch batch, in SyncEntry entry, int word) =>
            word < entry.Words && Utf8Parser.TryParse(batch.Word(entry, word), out int number, out _) ? number : null;
    }

    private static bool HasWord(SyncBatch batch, in SyncEntry entry, int from, params ReadOnlySpan<string> names)
    {
        // Options stand near the name, or behind a value.
        for (var word = from; word < entry.Words && word < from + 8; word++)
        {
            foreach (var name in names)
            {
                if (Ascii.EqualsIgnoreCase(batch.Word(entry, word), name))
                    return true;
            }
        }

        return false;
    }
}
