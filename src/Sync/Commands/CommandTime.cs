using System.Buffers.Text;
using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>When the key of a command expires, where it says so by a time of the clock.</summary>
internal static class CommandTime
{
    /// <returns>In milliseconds; null where it does not say so.</returns>
    public static long? Of(SyncBatch batch, in SyncEntry entry, CommandSpec command) =>
        Find(batch, entry, command, out var unitMs) is > 0 and var at
            && Utf8Parser.TryParse(batch.Word(entry, at), out long time, out _) && time > 0
            && time <= long.MaxValue / unitMs
            ? time * unitMs
            : null;

    /// <returns>Its word; 0 where there is none.</returns>
    public static int Find(SyncBatch batch, in SyncEntry entry, CommandSpec command, out int unitMs)
    {
        unitMs = 1;
        if (command.Time.Kind == TimeKind.At)
        {
            unitMs = command.Time.UnitMs;
            return entry.Words > command.Time.Word ? command.Time.Word : 0;
        }

        for (var word = command.Time.Word; command.Time.Kind == TimeKind.Option && word + 1 < entry.Words; word++)
        {
            var isInSeconds = Ascii.EqualsIgnoreCase(batch.Word(entry, word), "EXAT"u8);
            if (!isInSeconds && !Ascii.EqualsIgnoreCase(batch.Word(entry, word), "PXAT"u8))
                continue;
            unitMs = isInSeconds ? 1000 : 1;
            return word + 1;
        }

        return 0;
    }
}
