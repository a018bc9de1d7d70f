using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Sync;

// Times to live that are over when they are carried over, as the data set took long or the file is old. The source may
// have given the key more time since, and says so later; if not, it says that the key is deleted. Until then it stays.
internal sealed class LateExpiry(CommandTable table, SyncCounts counts)
{
    public const long ExtendedByMs = 60 * 60 * 1000;

    private readonly CommandFrames _frames = new();
    private readonly RespWriter _request = new();

    public void Extend(SyncBatch batch, ref SyncEntry entry)
    {
        if (entry.Kind == EntryKind.Restore)
        {
            if (entry.ExpiresAtMs > 0 && entry.ExpiresAtMs <= UnixTime.NowMs())
            {
                entry.ExpiresAtMs = UnixTime.NowMs() + ExtendedByMs;
                counts.Extended++;
            }

            return;
        }

        var command = table.All[entry.Command];
        var at = FindTime(batch, entry, command, out var unitMs);
        if (at == 0 || !Utf8Parser.TryParse(batch.Word(entry, at), out long time, out _) || time <= 0
            || time > UnixTime.NowMs() / unitMs)
        {
            return;
        }

        counts.Extended++;
        _request.Clear();
        _request.WriteArrayHeader(entry.Words);
        for (var word = 0; word < entry.Words; word++)
        {
            _request.WriteBulkString(word != at
                ? batch.Word(entry, word)
                : Encoding.ASCII.GetBytes(
                    ((UnixTime.NowMs() + ExtendedByMs) / unitMs).ToString(CultureInfo.InvariantCulture)));
        }

        var made = batch.Replace(entry, _request.Written, _frames);
        made.Command = entry.Command;
        entry = made;
    }

    // The word that is a time of the clock; 0 where there is none.
    private static int FindTime(SyncBatch batch, in SyncEntry entry, CommandSpec command, out int unitMs)
    {
        unitMs = 1;
        if (command.Expiry == ExpiryWord.Second)
        {
            unitMs = command.Name.StartsWith('P') || command.Name.StartsWith("HP", StringComparison.Ordinal) ? 1 : 1000;
            return entry.Words > 2 ? 2 : 0;
        }

        for (var word = 2; command.Expiry == ExpiryWord.Option && word + 1 < entry.Words; word++)
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

// Where a command has a time of the clock at which a key or field expires.
internal enum ExpiryWord
{
    None,
    Second,
    Option,
}
