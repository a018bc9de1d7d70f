using System.Globalization;

namespace RedisLatency.EngineRun;

/// <summary>Words of the form key=value.</summary>
internal sealed class SliceArguments(IEnumerable<string> words)
{
    private readonly Dictionary<string, string> _given =
        words.Select(word => word.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]);

    public string Text(string name, string usual) => _given.GetValueOrDefault(name, usual);

    public double Number(string name, double usual) =>
        _given.TryGetValue(name, out var text) ? double.Parse(text, CultureInfo.InvariantCulture) : usual;
}
