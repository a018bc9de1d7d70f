using System.Buffers.Text;
using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

internal static class CommandEffects
{
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
}
