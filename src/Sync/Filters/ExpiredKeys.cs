using System.Globalization;
using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Filters;

/// <summary>
/// Times to live that are over when they arrive, of a file or a long data set. Commands behind them may still give the
/// key more time, so it stays for an hour, and the source deletes it. What no command has named by the end gets the
/// source's time back then.
/// </summary>
internal sealed class ExpiredKeys(CommandTable table, SyncCounts counts, TransformPlan plan)
{
    public const long ExtendedByMs = 60 * 60 * 1000;

    private const int MostKept = 1 << 18;

    // By the database and the key's bytes as characters: the source's time.
    private readonly Dictionary<string, long> _extended = [];
    private readonly int _end = table.Find("PEXPIREAT")!.Number;
    private readonly ServerClock _clock = plan.Clock;

    // Behind the filters, before keys are renamed.
    public void Extend(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        if (_extended.Count > 0)
            Forget(batch, entry, keys);
        if (entry.Kind == EntryKind.Restore)
        {
            if (entry.ExpiresAtMs > 0 && entry.ExpiresAtMs <= _clock.NowMs)
            {
                Keep(entry.Database, batch.Word(entry, 0), entry.ExpiresAtMs);
                entry.ExpiresAtMs = _clock.NowMs + ExtendedByMs;
            }

            return;
        }

        var command = table.All[entry.Command];
        if ((command.Time.Kind is not (TimeKind.At or TimeKind.Option) && !command.Has(CommandFlags.Conditions))
            || (entry.Words <= 3 && command.Time.Kind != TimeKind.At))
        {
            return;
        }

        var isOver = CommandTime.Of(batch, entry, command) <= _clock.NowMs;
        var conditions = CountConditions(batch, entry, command);
        if (!isOver && conditions == 0)
            return;
        if (isOver && command.Has(CommandFlags.Conditions))
            Keep(entry.Database, batch.Word(entry, keys[0]), CommandTime.Of(batch, entry, command)!.Value);
        else if (isOver)
            counts.Extended++;
        var at = CommandTime.Find(batch, entry, command, out var unitMs);
        var request = batch.Make(entry.Words - conditions);
        for (var word = 0; word < entry.Words; word++)
        {
            if (conditions > 0 && IsCondition(batch, entry, word))
                continue;
            request.WriteBulkString(!isOver || word != at
                ? batch.Word(entry, word)
                : Encoding.ASCII.GetBytes(
                    ((_clock.NowMs + ExtendedByMs) / unitMs).ToString(CultureInfo.InvariantCulture)));
        }

        entry = batch.Replace(entry);
    }

    public Span<SyncEntry> EndRest(SyncBatch batch)
    {
        foreach (var (name, endsAtMs) in _extended)
        {
            counts.Ended++;
            var request = batch.Make(3);
            request.WriteBulkString("PEXPIREAT"u8);
            request.WriteBulkString(Encoding.Latin1.GetBytes(name[1..]));
            request.WriteBulkString(endsAtMs);
            ref var end = ref batch.AddMade(name[0]);
            (end.Command, end.IsOwn) = (_end, true);
        }

        _extended.Clear();
        return batch.Entries;
    }

    private void Keep(int database, ReadOnlySpan<byte> key, long endsAtMs)
    {
        counts.Extended++;
        if (_extended.Count < MostKept)
            _extended[NameOf(database, key)] = endsAtMs;
    }

    // Whose time may be another now, or another's.
    private void Forget(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        var command = entry.Kind == EntryKind.Restore ? null : table.All[entry.Command];
        if (command?.IsScript == true || command?.Group == CommandTable.UnknownGroup
            || command?.Has(CommandFlags.Empties) == true)
        {
            _extended.Clear();
        }
        else if (command is null || !KeepsTime(batch, entry, command))
        {
            foreach (var key in keys)
                _extended.Remove(NameOf(entry.Database, batch.Word(entry, key)));
            // The name of the other is in a database that it says.
            if (command is not null && CommandEffects.DatabasesOf(batch, entry, command).One is { } other)
                _extended.Remove(NameOf(other, batch.Word(entry, keys[^1])));
        }
    }

    private static bool KeepsTime(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        for (var word = 3; command.Name == "SET" && word < entry.Words; word++)
        {
            if (Ascii.EqualsIgnoreCase(batch.Word(entry, word), "KEEPTTL"u8))
                return true;
        }

        return command.KeepsTtl;
    }

    private static string NameOf(int database, ReadOnlySpan<byte> key) =>
        (char)database + Encoding.Latin1.GetString(key);

    // The source has carried it out, so its conditions were met: here they may not be, as its key was extended.
    private int CountConditions(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        var count = 0;
        for (var word = 3; command.Has(CommandFlags.Conditions) && plan.Function is null && word < entry.Words; word++)
            count += IsCondition(batch, entry, word) ? 1 : 0;
        return count;
    }

    private static bool IsCondition(SyncBatch batch, in SyncEntry entry, int word)
    {
        if (word < 3 || (word > 3 && batch.Word(entry, word - 1).StartsWith("IF"u8)))
            return false;
        var option = batch.Word(entry, word);
        return Ascii.EqualsIgnoreCase(option, "NX"u8) || Ascii.EqualsIgnoreCase(option, "XX"u8)
            || Ascii.EqualsIgnoreCase(option, "GT"u8) || Ascii.EqualsIgnoreCase(option, "LT"u8);
    }
}
