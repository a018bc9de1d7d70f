using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Consistency;

// Times to live that are over when they are carried over, as the data set took long or the file is old. The source may
// have given the key more time since, and says so later; if not, it says that the key is deleted. Until then it stays,
// also under another name: at the end, what has that time to live yet is over.
internal sealed class LateExpiry
{
    public const long ExtendedByMs = 60 * 60 * 1000;
    private const int MostKept = 1 << 18;
    private const int Unsure = -1;

    private readonly CommandTable _table;
    private readonly SyncCounts _counts;
    private readonly bool _keepsConditions;
    private readonly bool _endsOnlyWithTime;
    private readonly ServerClock _clock;
    private readonly KeyExpiries _expiries;
    // By the database and the key's bytes as characters.
    private readonly Dictionary<string, LateKey> _extended = [];
    private readonly Dictionary<string, LateKey>.AlternateLookup<ReadOnlySpan<char>> _byName;
    private readonly int _end;
    private int _unknown;
    private char[] _name = new char[256];
    private readonly CommandFrames _frames = new();
    private readonly RespWriter _request = new();

    public LateExpiry(CommandTable table, SyncCounts counts, MiddlePlan plan)
    {
        (_table, _counts, _keepsConditions) = (table, counts, plan.Function is not null);
        (_clock, _endsOnlyWithTime) = (plan.Clock, plan.EndsOnlyWithTime);
        _expiries = new KeyExpiries(table, counts, _clock, MostKept / plan.Shards);
        _byName = _extended.GetAlternateLookup<ReadOnlySpan<char>>();
        _end = table.All.First(command => command.Name == "PEXPIREAT").Number;
    }

    // Behind the filters, before keys are renamed.
    public void Process(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        Extend(batch, ref entry, keys);
        _expiries.Follow(batch, ref entry, keys);
    }

    // Gives what has not been settled the time that the source gave it: the target ends it by its own clock. Where its
    // last element was removed and it was begun anew, it has no time to live at the target either.
    public Span<SyncEntry> EndRest(SyncBatch batch)
    {
        foreach (var (name, key) in _extended)
        {
            if (key.State != _unknown)
            {
                _counts.Left++;
                continue;
            }

            _counts.Ended++;
            _request.Clear();
            _request.WriteArrayHeader(_endsOnlyWithTime ? 4 : 3);
            _request.WriteBulkString("PEXPIREAT"u8);
            _request.WriteBulkString(Encoding.Latin1.GetBytes(name[1..]));
            _request.WriteBulkString(key.EndsAtMs);
            if (_endsOnlyWithTime)
                _request.WriteBulkString("XX"u8);

            ref var end = ref batch.AddCommand(_request.Written, _frames, name[0]);
            (end.Command, end.IsOwn) = (_end, true);
        }

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
        command.KeepsTtl || HasKeepTtl(batch, entry, command);

    private void Extend(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        if (_extended.Count > 0)
            Follow(batch, entry, keys);
        if (entry.Kind == EntryKind.Restore)
        {
            if (entry.ExpiresAtMs > 0 && entry.ExpiresAtMs <= _clock.NowMs)
            {
                Keep(entry.Database, batch.Word(entry, 0), entry.ExpiresAtMs);
                entry.ExpiresAtMs = _clock.NowMs + ExtendedByMs;
            }

            return;
        }

        var command = _table.All[entry.Command];
        if ((command.Time.Kind is not (TimeKind.At or TimeKind.Option) && !command.Has(CommandFlags.Conditions))
            || (entry.Words <= 3 && command.Time.Kind != TimeKind.At))
        {
            return;
        }

        var conditions = CountConditions(batch, entry, command);
        var at = FindTime(batch, entry, command, out var unitMs);
        var time = TimeOf(batch, entry, command) ?? long.MaxValue;
        var isOver = time <= _clock.NowMs;
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
                    ((_clock.NowMs + ExtendedByMs) / unitMs).ToString(CultureInfo.InvariantCulture)));
        }

        if (isOver && command.Has(CommandFlags.Conditions))
            Keep(entry.Database, batch.Word(entry, keys[0]), time);
        else if (isOver)
            (_counts.Extended, _counts.Left) = (_counts.Extended + 1, _counts.Left + 1);
        var made = batch.Replace(entry, _request.Written, _frames);
        made.Command = entry.Command;
        entry = made;
    }

    private void Keep(int database, ReadOnlySpan<byte> key, long endsAtMs)
    {
        _counts.Extended++;
        Set(NameOf(database, key), new LateKey(_unknown, endsAtMs));
    }

    private void Set(ReadOnlySpan<char> name, LateKey key)
    {
        if (_extended.Count < MostKept || _byName.ContainsKey(name))
            _byName[name] = key;
        else
            _counts.Left++;
    }

    private void Follow(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        if (entry.Kind == EntryKind.Restore)
        {
            _byName.Remove(NameOf(entry.Database, batch.Word(entry, keys[0])));
            return;
        }

        var command = _table.All[entry.Command];
        if (command.Group == CommandTable.UnknownGroup || command.IsScript)
            Doubt(batch, entry, keys);
        else if (keys.Count == 0)
            Empty(batch, entry, command);
        else if (command.Has(CommandFlags.Carries))
            Carry(batch, entry, command, keys);
        else if (!KeepsTime(batch, entry, command))
            Settle(batch, entry, command, keys);
    }

    private void Settle(SyncBatch batch, in SyncEntry entry, CommandSpec command, List<int> keys)
    {
        var made = command.MadeKey(keys.Count);
        var settles = command.Effect is CommandEffect.Replaces or CommandEffect.Keeps;
        // An older target does not say whether the key was begun anew, and some give a time to live or not.
        var isUnsure = made < 0
            && (!_endsOnlyWithTime || command.Group == "TAIRSTRING" || command.Name == "MSETEX");
        for (var i = 0; i < keys.Count; i++)
        {
            var name = NameOf(entry.Database, batch.Word(entry, keys[i]));
            if (settles || i == made)
                _byName.Remove(name);
            else if (isUnsure && _byName.TryGetValue(name, out var key))
                _byName[name] = key with { State = Unsure };
        }
    }

    // It may do anything; of several keys that it names, one may have the other's time to live afterwards.
    private void Doubt(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        _unknown++;
        for (var i = 0; keys.Count > 1 && i < keys.Count; i++)
        {
            if (_byName.Remove(NameOf(entry.Database, batch.Word(entry, keys[i]))))
                _counts.Left++;
        }
    }

    // The other has the time to live of the first, or none as well.
    private void Carry(SyncBatch batch, in SyncEntry entry, CommandSpec command, List<int> keys)
    {
        var from = NameOf(entry.Database, batch.Word(entry, keys[0]));
        var isFollowed = _byName.TryGetValue(from, out var late);
        if (command.Has(CommandFlags.Moves))
            _byName.Remove(from);
        var database = CommandEffects.DatabasesOf(batch, entry, command).One ?? entry.Database;
        var to = NameOf(database, batch.Word(entry, keys[^1]));
        if (isFollowed)
            Set(to, late);
        else
            _byName.Remove(to);
    }

    private void Empty(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        var (one, other) = CommandEffects.DatabasesOf(batch, entry, command);
        if (command.Name == "FLUSHDB")
            one = entry.Database;
        else if (command.Name == "FLUSHALL")
            _extended.Clear();
        if (one is null || one == other)
            return;
        var moved = _extended.Where(pair => pair.Key[0] == one || pair.Key[0] == other).ToList();
        moved.ForEach(pair => _extended.Remove(pair.Key));
        if (other is { } second)
            moved.ForEach(pair => _extended[(char)(pair.Key[0] == one ? second : one) + pair.Key[1..]] = pair.Value);
    }

    // Valid until the next.
    private ReadOnlySpan<char> NameOf(int database, ReadOnlySpan<byte> key)
    {
        if (_name.Length <= key.Length)
            _name = new char[key.Length * 2];
        _name[0] = (char)database;
        Encoding.Latin1.GetChars(key, _name.AsSpan(1));
        return _name.AsSpan(0, 1 + key.Length);
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
        for (var word = 3; command.Has(CommandFlags.Conditions) && !_keepsConditions && word < entry.Words; word++)
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

// State: how many commands that may do anything had come by then. Of one that is Unsure, and where more have come
// since,
// the time to live may be another, or none.
internal readonly record struct LateKey(int State, long EndsAtMs);
