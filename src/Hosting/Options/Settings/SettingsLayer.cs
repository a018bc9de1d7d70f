namespace RedisLatency.Hosting.Options.Settings;

/// <summary>What one file, or the environment, says.</summary>
/// <param name="values">The settings by key (<c>Producer:Rate</c>); keys differ by more than case.</param>
internal sealed class SettingsLayer(IEnumerable<KeyValuePair<string, Setting>> values)
{
    private readonly SortedDictionary<string, Setting> _values = new(
        values.ToDictionary(StringComparer.OrdinalIgnoreCase), StringComparer.OrdinalIgnoreCase);

    public IEnumerable<string> Keys => _values.Keys;

    public Setting this[string key] => _values[key];

    /// <summary>The value of a key, or the values of a list (<c>Redis:Endpoint:0</c>, …) in order; else none.</summary>
    public IReadOnlyList<Setting> Find(string key)
    {
        if (_values.TryGetValue(key, out var single))
        {
            return [single];
        }

        var found = new List<Setting>();
        while (_values.TryGetValue($"{key}:{found.Count}", out var element))
        {
            found.Add(element);
        }

        return found;
    }
}
