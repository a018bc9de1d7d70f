using System.Buffers.Text;
using System.Text;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

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
