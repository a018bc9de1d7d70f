using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Server.Commands;

/// <summary>
/// The database: strings by key. Keys that have expired are removed when they are met, and by
/// <see cref="RemoveExpired"/>. A key keeps its slot for life, so SCAN returns every key that stays throughout.
/// </summary>
internal sealed class Database
{
    private const int SampleSize = 20;

    private readonly Dictionary<byte[], StoredString> _strings = new(ByteStringComparer.Instance);
    private readonly Dictionary<byte[], StoredString>.AlternateLookup<ReadOnlySpan<byte>> _lookup;
    private readonly ServerClock _clock;
    private readonly List<StoredString?> _slots = [];
    private readonly Stack<int> _freeSlots = new();
    private readonly List<StoredString> _expiring = [];
    private readonly Random _random = new();

    public Database(ServerClock clock)
    {
        _clock = clock;
        _lookup = _strings.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>How many keys there are, with those that have expired unnoticed.</summary>
    public int Count => _strings.Count;

    public int ExpiringCount => _expiring.Count;

    /// <summary>One more than the highest slot: where a scan ends.</summary>
    public int SlotCount => _slots.Count;

    public long Expired { get; private set; }

    public StoredString? Find(ReadOnlySpan<byte> key)
    {
        if (!_lookup.TryGetValue(key, out var found))
            return null;
        return RemoveIfExpired(found) ? null : found;
    }

    public bool TryGet(ReadOnlySpan<byte> key, [NotNullWhen(true)] out StoredString? found)
    {
        found = Find(key);
        return found is not null;
    }

    public StoredString FindOrAdd(ReadOnlySpan<byte> key) => Find(key) ?? Add(key.ToArray());

    public StoredString Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        var entry = FindOrAdd(key);
        entry.Assign(value);
        ExpireAt(entry, StoredString.Never);
        return entry;
    }

    public bool Remove(ReadOnlySpan<byte> key)
    {
        if (!TryGet(key, out var found))
            return false;
        Remove(found);
        return true;
    }

    /// <summary>Gives a key a time to live, in milliseconds since the Unix epoch, or takes it.</summary>
    public void ExpireAt(StoredString entry, long milliseconds)
    {
        if (entry.ExpireAt == StoredString.Never && milliseconds != StoredString.Never)
        {
            entry.ExpirySlot = _expiring.Count;
            _expiring.Add(entry);
        }
        else if (entry.ExpireAt != StoredString.Never && milliseconds == StoredString.Never)
        {
            LeaveExpiring(entry);
        }

        entry.ExpireAt = milliseconds;
    }

    public StoredString? InSlot(int slot) => _slots[slot] is { } entry && !RemoveIfExpired(entry) ? entry : null;

    /// <summary>
    /// Removes some of the keys that have expired: samples of twenty, until less than a quarter of one had expired
    /// (as <c>activeExpireCycle</c> of Redis) or <paramref name="rounds"/> are done.
    /// </summary>
    public void RemoveExpired(int rounds)
    {
        for (var round = 0; round < rounds && _expiring.Count > 0; round++)
        {
            var removed = 0;
            for (var index = 0; index < SampleSize && _expiring.Count > 0; index++)
                removed += RemoveIfExpired(_expiring[_random.Next(_expiring.Count)]) ? 1 : 0;
            if (removed < SampleSize / 4)
                return;
        }
    }

    private StoredString Add(byte[] key)
    {
        var entry = new StoredString(key);
        if (_freeSlots.TryPop(out var slot))
        {
            _slots[slot] = entry;
        }
        else
        {
            slot = _slots.Count;
            _slots.Add(entry);
        }

        entry.Slot = slot;
        _strings.Add(key, entry);
        return entry;
    }

    private void Remove(StoredString entry)
    {
        _strings.Remove(entry.Key);
        _slots[entry.Slot] = null;
        _freeSlots.Push(entry.Slot);
        ExpireAt(entry, StoredString.Never);
    }

    private bool RemoveIfExpired(StoredString entry)
    {
        if (entry.ExpireAt == StoredString.Never || !entry.IsExpired(_clock.Milliseconds))
            return false;
        Remove(entry);
        Expired++;
        return true;
    }

    private void LeaveExpiring(StoredString entry)
    {
        var last = _expiring[^1];
        _expiring[entry.ExpirySlot] = last;
        last.ExpirySlot = entry.ExpirySlot;
        _expiring.RemoveAt(_expiring.Count - 1);
        entry.ExpirySlot = -1;
    }
}
