using System.Buffers.Text;
using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

internal static class CommandEffects
{
    /// <summary>
    /// Whether any number of such commands may be carried out, and then all of them once more in their order, with the
    /// outcome of each once. None takes from a key: what goes may be the last of it then, and it comes back as a new
    /// one.
    /// </summary>
    public static bool IsRepeatable(CommandEffect effect) =>
        effect is CommandEffect.Replaces or CommandEffect.Keeps or CommandEffect.Adds;

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
