namespace RedisLatency.Hosting.Options;

/// <summary>
/// What one file, or the environment, says. Empty values count as unset: compose files hand on <c>${RATE:-}</c>. An
/// empty endpoint or threshold does not: it is the variable of a pipeline that nobody set, and no wish for the default.
/// </summary>
/// <param name="values">The settings by key (<c>Producer:Rate</c>); keys differ by more than case.</param>
internal sealed class SettingsLayer(IEnumerable<KeyValuePair<string, Setting>> values)
{
    private readonly SortedDictionary<string, Setting> _values = new(
        values.ToDictionary(StringComparer.OrdinalIgnoreCase), StringComparer.OrdinalIgnoreCase);

    /// <summary>The file's name; null for the environment.</summary>
    public string? File { get; init; }

    /// <summary>What a user should know of it.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    public IEnumerable<string> Keys => _values.Keys.Where(Has);

    public bool Has(string key) => _values.TryGetValue(key, out var value) && value.Text.Length > 0;

    public Setting this[string key] => _values[key];

    /// <summary>The value of a key, or the values of a list (<c>Redis:Endpoint:0</c>, …) in order; else none.</summary>
    public IReadOnlyList<Setting> Find(string key, bool emptyCounts = false)
    {
        if (_values.TryGetValue(key, out var single) && (emptyCounts || single.Text.Length > 0))
            return [single];

        return [.. _values
            .Where(pair => pair.Key.StartsWith($"{key}:", StringComparison.OrdinalIgnoreCase))
            .Select(pair => (IsElement: int.TryParse(pair.Key.AsSpan(key.Length + 1), out var at), At: at, pair.Value))
            .Where(element => element.IsElement && (emptyCounts || element.Value.Text.Length > 0))
            .OrderBy(element => element.At)
            .Select(element => element.Value)];
    }
}
