using System.Text;
using RedisLatency.Sync.Filters;

namespace RedisLatency.Sync.Consistency;

// Keys of the target that lack something, until they are replaced. Any thread asks.
internal sealed class LackingKeys
{
    private const int MostKept = 1 << 16;

    private readonly Lock _gate = new();
    // The database, and the key's bytes as characters.
    private readonly Dictionary<string, KeyLack> _names = [];
    private readonly long[] _more = new long[1 + (int)KeyLack.Certain];
    private volatile bool _isAny;

    // Cheap: each command that is answered asks.
    public bool IsAny => _isAny;

    public long Count(KeyLack lack)
    {
        lock (_gate)
            return _names.Values.Count(one => one == lack) + _more[(int)lack];
    }

    public string First(KeyLack lack)
    {
        lock (_gate)
        {
            var name = _names.FirstOrDefault(one => one.Value == lack).Key ?? " (not kept)";
            return KeyText.Of(Encoding.Latin1.GetBytes(name[1..]));
        }
    }

    public List<(int Database, string Key)> Keys
    {
        get
        {
            lock (_gate)
                return [.. _names.Keys.Select(name => ((int)name[0], name[1..]))];
        }
    }

    public KeyLack Of(int database, string key)
    {
        lock (_gate)
            return _names.GetValueOrDefault((char)database + key);
    }

    public void Set(int database, string key, KeyLack lack)
    {
        var name = (char)database + key;
        lock (_gate)
        {
            if (lack == KeyLack.None)
                Remove(name);
            else if (_names.Count < MostKept || _names.ContainsKey(name))
                _names[name] = lack;
            else
                _more[(int)lack]++;
            _isAny |= lack != KeyLack.None;
        }
    }

    public void Swap(int one, int other)
    {
        lock (_gate)
        {
            var swapped = _names.Where(name => name.Key[0] == one || name.Key[0] == other).ToList();
            swapped.ForEach(name => _names.Remove(name.Key));
            swapped.ForEach(name => _names[(char)(name.Key[0] == one ? other : one) + name.Key[1..]] = name.Value);
        }
    }

    public void Empty(int? database)
    {
        lock (_gate)
        {
            foreach (var name in _names.Keys.Where(one => database is null || one[0] == database).ToList())
                Remove(name);
        }
    }

    private void Remove(string name)
    {
        _names.Remove(name);
        _isAny = _names.Count > 0 || _more.Sum() > 0;
    }
}
