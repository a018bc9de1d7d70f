using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Sync;

// Times to live that are over when they are carried over, as the data set took long or the file is old. The source may
// have given the key more time since, and says so later; if not, it says that the key is deleted. Until then it stays:
// at the end, what no command has named since is over.
internal sealed class LateExpiry
{
    public const long ExtendedByMs = 60 * 60 * 1000;
    private const int MostKept = 1 << 18;
    private const int LongestUsualKey = 255;

    private readonly CommandTable _table;
    private readonly SyncCounts _counts;
    private readonly bool _keepsConditions;
    private readonly long _aheadMs;
    private readonly KeyExpiries _expiries;
    // The database, and the key's bytes as characters.
    private readonly HashSet<string> _extended = [];
    private readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _byName;
    private readonly int _del;
    private readonly CommandFrames _frames = new();
    private readonly RespWriter _request = new();

    public LateExpiry(CommandTable table, SyncCounts counts, MiddlePlan plan)
    {
        (_table, _counts, _keepsConditions) = (table, counts, plan.Function is not null);
        _aheadMs = plan.TargetAheadMs;
        _expiries = new KeyExpiries(table, counts, _aheadMs, MostKept / plan.Shards);
        _byName = _extended.GetAlternateLookup<ReadOnlySpan<char>>();
        _del = table.All.First(command => command.Name == "DEL").Number;
    }

    private long NowThere => UnixTime.NowMs() + _aheadMs;

    // Behind the filters, before keys are renamed.
    public void Process(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        Extend(batch, ref entry, keys);
        _expiries.Follow(batch, ref entry, keys);
    }

    // Deletes what has not been settled: it is over at the source too, if all that it did was read.
    public Span<SyncEntry> EndRest(SyncBatch batch)
    {
        foreach (var name in _extended)
        {
            _request.Clear();
            _request.WriteArrayHeader(2);
            _request.WriteBulkString("DEL"u8);
            _request.WriteBulkString(Encoding.Latin1.GetBytes(name[1..]));
            batch.AddCommand(_request.Written, _frames, name[0]).Command = _del;
        }

        _counts.Ended += _extended.Count;
        _extended.Clear();
        return batch.Entries;
    }

    // When the key of a command expires, in milliseconds; null where it does not say so.
    public static long? TimeOf(SyncBatch batch, in SyncEntry entry, CommandSpec command) =>
        FindTime(batch, entry, command, out var unitMs) is > 0 and var at
            && Utf8Parser.TryParse(batch.Word(entry, at), out long time, out _) && time > 0
            && time <= long.MaxValue / unitMs
            ? time * unitMs
            : null;

    // Whether the key has its time to live behind it as before, and is there.
    public static bool KeepsTime(SyncBatch batch, in SyncEntry entry, CommandSpec command) =>
        command.Effect == CommandEffect.Adds
        || command.Name is "APPEND" or "DECR" or "DECRBY" or "HINCRBY" or "HINCRBYFLOAT" or "INCR" or "INCRBY"
            or "INCRBYFLOAT" or "LINSERT" or "LPUSH" or "LSET" or "RPUSH" or "XADD" or "ZINCRBY"
        || HasKeepTtl(batch, entry, command);

    private void Extend(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        if (_extended.Count > 0)
            Forget(batch, entry, keys);
        if (entry.Kind == EntryKind.Restore)
        {
            if (entry.ExpiresAtMs > 0 && entry.ExpiresAtMs <= NowThere)
            {
                entry.ExpiresAtMs = NowThere + ExtendedByMs;
                Keep(entry.Database, batch.Word(entry, 0));
            }

            return;
        }

        var command = _table.All[entry.Command];
        if ((command.Expiry == ExpiryWord.None && !command.HasConditions)
            || (entry.Words <= 3 && command.Expiry != ExpiryWord.Second))
        {
            return;
        }

        var conditions = CountConditions(batch, entry, command);
        var at = FindTime(batch, entry, command, out var unitMs);
        var isOver = TimeOf(batch, entry, command) is { } time && time <= NowThere;
        if (!isOver && conditions == 0)
            return;
        _request.Clear();
        _request.WriteArrayHeader(entry.Words - conditions);
        for (var word = 0; word < entry.Words; word++)
        {
            if (conditions > 0 && IsCondition(batch, entry, word))
                continue;
            _request.WriteBulkString(!isOver || word != at
                ? batch.Word(entry, word)
                : Encoding.ASCII.GetBytes(
                    ((NowThere + ExtendedByMs) / unitMs).ToString(CultureInfo.InvariantCulture)));
        }

        if (isOver && command.HasConditions)
            Keep(entry.Database, batch.Word(entry, keys[0]));
        else if (isOver)
            (_counts.Extended, _counts.Left) = (_counts.Extended + 1, _counts.Left + 1);
        var made = batch.Replace(entry, _request.Written, _frames);
        made.Command = entry.Command;
        entry = made;
    }

    private void Keep(int database, ReadOnlySpan<byte> key)
    {
        _counts.Extended++;
        if (_extended.Count < MostKept)
            _extended.Add((char)database + Encoding.Latin1.GetString(key));
        else
            _counts.Left++;
    }

    private void Forget(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        var command = entry.Kind == EntryKind.Restore ? null : _table.All[entry.Command];
        var keepsTime = command is not null && KeepsTime(batch, entry, command);
        foreach (var word in keys)
        {
            if (!keepsTime)
                Forget(entry.Database, batch.Word(entry, word), command);
        }

        if (command?.Name is "FLUSHALL" or "FLUSHDB")
        {
            var (database, isOne) = (entry.Database, command.Name == "FLUSHDB");
            _extended.RemoveWhere(one => !isOne || one[0] == database);
        }
        else if (command?.Name is "SWAPDB" or "MOVE" or "EVAL" or "EVALSHA" or "FCALL"
            || command?.Group == CommandTable.UnknownGroup || (command?.Name == "COPY" && entry.Words > 4))
        {
            _counts.Left += _extended.Count;
            _extended.Clear();
        }
    }

    private void Forget(int database, ReadOnlySpan<byte> key, CommandSpec? command)
    {
        var name = key.Length <= LongestUsualKey ? stackalloc char[1 + key.Length] : new char[1 + key.Length];
        name[0] = (char)database;
        Encoding.Latin1.GetChars(key, name[1..]);
        // It may be gone, or another have its time to live.
        if (_byName.Remove(name) && command is { Effect: not (CommandEffect.Replaces or CommandEffect.Keeps) })
            _counts.Left++;
    }

    private static bool HasKeepTtl(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        for (var word = 3; command.Name == "SET" && word < entry.Words; word++)
        {
            if (Ascii.EqualsIgnoreCase(batch.Word(entry, word), "KEEPTTL"u8))
                return true;
        }

        return false;
    }

    // The source has carried it out, so its conditions were met: here they may not be, as its key was extended.
    private int CountConditions(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        var count = 0;
        for (var word = 3; command.HasConditions && !_keepsConditions && word < entry.Words; word++)
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
