using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Sync;

// When keys expire at the target, as the source has said. A command that the source carried out before that, and that
// reaches a target that is behind only then, begins its key anew there (INCR, HSET), or makes another of none
// (SUNIONSTORE): it is given the time, and whoever sees it answered looks at the clock.
internal sealed class KeyExpiries(CommandTable table, SyncCounts counts)
{
    private const int MostKept = 1 << 20;

    // A command may have been so long on its way from the source.
    private const int OnItsWayMs = 1000;

    private readonly Dictionary<ulong, long> _ends = [];
    private long _receivedNs;
    private long _receivedMs;
    private long _clearedMs;

    public void Follow(SyncBatch batch, ref SyncEntry entry, List<int> keys)
    {
        if (entry.Kind == EntryKind.Restore)
        {
            Keep(HashOf(entry.Database, batch.Word(entry, 0)), entry.ExpiresAtMs);
            return;
        }

        var command = table.All[entry.Command];
        if (_ends.Count > 0)
        {
            foreach (var word in keys)
                Use(batch, ref entry, command, HashOf(entry.Database, batch.Word(entry, word)));
            if (command.Name is "RENAME" or "RENAMENX" or "COPY")
                Hand(batch, entry, keys, isMoved: command.Name != "COPY");
        }

        if ((command.Effect == CommandEffect.Keeps || command.Name == "SET")
            && LateExpiry.TimeOf(batch, entry, command) is { } end)
        {
            Keep(HashOf(entry.Database, batch.Word(entry, keys[0])), end);
        }
    }

    private void Use(SyncBatch batch, ref SyncEntry entry, CommandSpec command, ulong key)
    {
        if (!_ends.TryGetValue(key, out var end))
            return;
        var replaces = CommandEffects.Of(batch, entry, command) == CommandEffect.Replaces;
        if (replaces || command.Effect == CommandEffect.Keeps)
            _ends.Remove(key);
        if (!replaces && end > ReceivedMs(batch) - OnItsWayMs)
            entry.ExpiresAtMs = entry.ExpiresAtMs == 0 ? end : Math.Min(entry.ExpiresAtMs, end);
    }

    // The second key has the time to live of the first, or none as well.
    private void Hand(SyncBatch batch, in SyncEntry entry, List<int> keys, bool isMoved)
    {
        var from = HashOf(entry.Database, batch.Word(entry, keys[0]));
        Keep(HashOf(entry.Database, batch.Word(entry, keys[1])), _ends.GetValueOrDefault(from));
        if (isMoved)
            _ends.Remove(from);
    }

    private void Keep(ulong key, long end)
    {
        if (end == 0)
            _ends.Remove(key);
        else if (_ends.Count < MostKept || _ends.ContainsKey(key) || TryClear())
            _ends[key] = end;
        else
            counts.Unfollowed++;
    }

    // Of those that ended before anything that is yet to come.
    private bool TryClear()
    {
        var now = UnixTime.NowMs();
        if (now - _clearedMs < OnItsWayMs)
            return false;
        _clearedMs = now;
        foreach (var (key, end) in _ends)
        {
            if (end < _receivedMs - OnItsWayMs)
                _ends.Remove(key);
        }

        return _ends.Count < MostKept;
    }

    private long ReceivedMs(SyncBatch batch)
    {
        if (batch.ReceivedNs != _receivedNs)
        {
            _receivedNs = batch.ReceivedNs;
            _receivedMs = UnixTime.NowMs() - ((MonotonicClock.NowNs() - batch.ReceivedNs) / 1_000_000);
        }

        return _receivedMs;
    }

    // FNV-1a (Fowler, Noll, Vo): of a million keys hardly two have one.
    private static ulong HashOf(int database, ReadOnlySpan<byte> key)
    {
        var hash = 0xcbf29ce484222325 ^ (uint)database;
        foreach (var one in key)
            hash = (hash ^ one) * 0x100000001b3;
        return hash;
    }
}

// Keys that a command used at the target after they had expired there, until they are replaced. Any thread asks.
internal sealed class OutlivedKeys
{
    private const int MostKept = 1 << 16;

    private readonly Lock _gate = new();
    // The database, and the key's bytes as characters.
    private readonly HashSet<string> _names = [];
    private volatile bool _isAny;
    private long _more;

    public bool IsAny => _isAny;

    public long Count
    {
        get
        {
            lock (_gate)
                return _names.Count + _more;
        }
    }

    public string First
    {
        get
        {
            lock (_gate)
                return KeyText.Of(System.Text.Encoding.Latin1.GetBytes(_names.First()[1..]));
        }
    }

    public void Add(int database, string key)
    {
        lock (_gate)
        {
            _isAny = true;
            if (_names.Count == MostKept)
                _more++;
            else
                _names.Add((char)database + key);
        }
    }

    public void Remove(int database, string key)
    {
        lock (_gate)
            _names.Remove((char)database + key);
    }

    public void Empty(int? database)
    {
        lock (_gate)
            _names.RemoveWhere(one => database is null || one[0] == database);
    }
}
