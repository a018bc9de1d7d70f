using System.Buffers.Text;
using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Consistency;

// When keys expire at the target, as the source has said. A command that the source carried out before that, and that
// reaches a target that is behind only then, begins its key anew there (INCR, HSET), or makes another of none
// (SUNIONSTORE): it is given the time, and whoever sees it answered looks at the clock.
internal sealed class KeyExpiries(CommandTable table, SyncCounts counts, ServerClock clock, int most)
{
    // By database and the key's hash. The source says when a key has expired: so long it has it. Less than zero of one
    // that may be gone without a word: its last element was removed.
    private readonly Dictionary<int, Dictionary<ulong, long>> _ends = [];
    private long _receivedMs;
    // Of keys that end later it is not known, as they are too many.
    private long _horizonMs = long.MaxValue;

    // Behind LateExpiry.
    public void Follow(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        if (keys.Count == 0)
        {
            Empty(batch, entry, table.All[entry.Command]);
            return;
        }

        var ends = EndsIn(entry.Database);
        var first = HashOf(batch.Word(entry, keys[0]));
        if (entry.Kind == EntryKind.Restore)
        {
            Keep(ends, first, entry.ExpiresAtMs);
            return;
        }

        var command = table.All[entry.Command];
        if (ends.Count > 0)
            Use(ends, batch, ref entry, command, keys);
        if ((command.Effect is CommandEffect.Keeps or CommandEffect.Replaces)
            && (LateExpiry.TimeOf(batch, entry, command) ?? RelativeTimeOf(batch, entry, command)) is { } end)
        {
            Keep(ends, first, end);
        }
    }

    // Before Redis 7 a source passes on how long, and each server counts from its own now.
    private long? RelativeTimeOf(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        var (at, isInMs) = command.Time.Kind switch
        {
            TimeKind.In or TimeKind.InOrAt => (command.Time.Word, command.Time.UnitMs == 1),
            TimeKind.Option => FindOption(batch, entry, command.Time.Word),
            _ => (entry.Words, false),
        };
        return at < entry.Words && Utf8Parser.TryParse(batch.Word(entry, at), out long time, out _)
            && time is > 0 and < 1L << 48
            ? (HasAbsoluteTime(batch, entry, command) ? 0 : clock.NowMs)
                + (isInMs ? time : time * 1000)
            : null;
    }

    private static bool HasAbsoluteTime(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        for (var word = 4; command.Time.Kind == TimeKind.InOrAt && word < entry.Words; word++)
        {
            if (Ascii.EqualsIgnoreCase(batch.Word(entry, word), "ABSTTL"u8))
                return true;
        }

        return false;
    }

    private static (int At, bool IsInMs) FindOption(SyncBatch batch, in SyncEntry entry, int from)
    {
        for (var word = from; word + 1 < entry.Words; word++)
        {
            var isInMs = Ascii.EqualsIgnoreCase(batch.Word(entry, word), "PX"u8);
            if (isInMs || Ascii.EqualsIgnoreCase(batch.Word(entry, word), "EX"u8))
                return (word + 1, isInMs);
        }

        return (entry.Words, false);
    }

    private void Use(
        Dictionary<ulong, long> ends, SyncBatch batch, ref SyncEntry entry, CommandSpec command, List<int> keys)
    {
        var made = command.MadeKey(keys.Count);
        for (var i = 0; i < keys.Count; i++)
        {
            var key = HashOf(batch.Word(entry, keys[i]));
            if (i != made && ends.TryGetValue(key, out var end))
                Use(ends, batch, ref entry, command, key, end);
        }

        // Last, as it may be one of those that it is made of.
        if (made >= 0)
            ends.Remove(HashOf(batch.Word(entry, keys[made])));
        if (command.ReadsOthers(batch, entry))
            GiveFirst(ends, ref entry, ReceivedMs(batch));
        if (!command.Has(CommandFlags.Carries))
            return;
        // The other has the time to live of the first, or none as well.
        var to = CommandEffects.DatabasesOf(batch, entry, command).One ?? entry.Database;
        var from = HashOf(batch.Word(entry, keys[0]));
        Keep(EndsIn(to), HashOf(batch.Word(entry, keys[^1])), Math.Abs(ends.GetValueOrDefault(from)));
        if (command.Has(CommandFlags.Moves))
            ends.Remove(from);
    }

    // It may use any of those that the source still had.
    private void GiveFirst(Dictionary<ulong, long> ends, ref SyncEntry entry, long receivedMs)
    {
        foreach (var end in ends.Values)
        {
            if (clock.ToMonotonicMs(Math.Abs(end)) is var here && here > receivedMs)
                entry.ExpiresAtMs = SyncEntry.Earlier(entry.ExpiresAtMs, here);
        }
    }

    private void Use(
        Dictionary<ulong, long> ends, SyncBatch batch, ref SyncEntry entry, CommandSpec command, ulong key, long end)
    {
        var replaces = command.EffectOf(batch, entry) == CommandEffect.Replaces;
        if (replaces || command.Effect == CommandEffect.Keeps)
            ends.Remove(key);
        else if (end > 0 && !LateExpiry.KeepsTime(batch, entry, command))
            ends[key] = -end;
        var endsHere = clock.ToMonotonicMs(Math.Abs(end));
        if (!replaces && (end > 0 || endsHere > ReceivedMs(batch)))
            entry.ExpiresAtMs = SyncEntry.Earlier(entry.ExpiresAtMs, endsHere);
    }

    private Dictionary<ulong, long> EndsIn(int database)
    {
        if (!_ends.TryGetValue(database, out var ends))
            _ends[database] = ends = [];
        return ends;
    }

    private void Empty(SyncBatch batch, in SyncEntry entry, CommandSpec command)
    {
        if (command.Name == "FLUSHALL")
            _ends.Clear();
        else if (command.Name == "FLUSHDB")
            _ends.Remove(entry.Database);
        else if (CommandEffects.DatabasesOf(batch, entry, command) is { One: { } one, Other: { } other })
            (_ends[one], _ends[other]) = (EndsIn(other), EndsIn(one));
    }

    private void Keep(Dictionary<ulong, long> ends, ulong key, long end)
    {
        counts.HasTimes |= end != 0;
        if (end == 0 || (_horizonMs != long.MaxValue && end > clock.NowMs + _horizonMs))
        {
            ends.Remove(key);
            counts.Unfollowed += end == 0 ? 0 : 1;
            return;
        }

        ends[key] = end;
        if (ends.Count > most / _ends.Count)
            Narrow(ends);
    }

    // Leaves out what may be gone and ended before anything that is yet to come; where that is little, also the half
    // that ends last.
    private void Narrow(Dictionary<ulong, long> ends)
    {
        foreach (var (key, end) in ends)
        {
            if (end < 0 && clock.ToMonotonicMs(-end) < _receivedMs)
                ends.Remove(key);
        }

        if (ends.Count <= most / _ends.Count / 2)
            return;
        var middle = ends.Values.Select(Math.Abs).Order().ElementAt(ends.Count / 2);
        _horizonMs = Math.Max(middle - clock.NowMs, 0);
        foreach (var (key, end) in ends)
        {
            if (Math.Abs(end) > middle && ends.Remove(key))
                counts.Unfollowed++;
        }
    }

    private long ReceivedMs(SyncBatch batch) => _receivedMs = batch.ReceivedNs / 1_000_000;

    // FNV-1a (Fowler, Noll, Vo): of a million keys hardly two have one.
    private static ulong HashOf(ReadOnlySpan<byte> key)
    {
        var hash = 0xcbf29ce484222325;
        foreach (var one in key)
            hash = (hash ^ one) * 0x100000001b3;
        return hash;
    }
}
