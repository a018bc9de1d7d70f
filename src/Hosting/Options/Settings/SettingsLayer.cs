namespace RedisLatency.Hosting.Options.Settings;

/// <summary>
/// What one file, or the environment, says. Empty values count as unset: compose files hand on <c>${RATE:-}</c>.
/// </summary>
/// <param name="values">The settings by key (<c>Producer:Rate</c>); keys differ by more than case.</param>
internal sealed class SettingsLayer(IEnumerable<KeyValuePair<string, Setting>> values)
{
    private readonly SortedDictionary<string, Setting> _values = new(
        values.Where(pair => pair.Value.Text.Length > 0).ToDictionary(StringComparer.OrdinalIgnoreCase),
        StringComparer.OrdinalIgnoreCase);

    public IEnumerable<string> Keys => _values.Keys;

    public bool Has(string key) => _values.ContainsKey(key);

    public Setting this[string key] => _values[key];

    /// <summary>The value of a key, or the values of a list (<c>Redis:Endpoint:0</c>, …) in order; else none.</summary>
    public IReadOnlyList<Setting> Find(string key)
    {
        if (_values.TryGetValue(key, out var single))
        {
            return [single];
        }

        return [.. _values
            .Where(pair => pair.Key.StartsWith($"{key}:", StringComparison.OrdinalIgnoreCase))
            .Select(pair => (IsElement: int.TryParse(pair.Key.AsSpan(key.Length + 1), out var at), At: at, pair.Value))
            .Where(element => element.IsElement)
            .OrderBy(element => element.At)
            .Select(element => element.Value)];
    }
}
