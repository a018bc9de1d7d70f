using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace RedisLatency.Fixtures;

/// <summary>
/// Metrics in Prometheus' text format 0.0.4, read as strictly as it is specified: whatever a server of Prometheus would
/// stumble over, or take for something else, is an error.
/// </summary>
public sealed partial class PrometheusText
{
    private readonly Dictionary<string, string> _types = [];
    private readonly Dictionary<string, double> _samples = [];
    private readonly List<string> _families = [];

    private PrometheusText()
    {
    }

    /// <summary>The families, in their order.</summary>
    public IReadOnlyList<string> Families => _families;

    /// <summary>Reads a page.</summary>
    /// <exception cref="FormatException">It breaks a rule of the format.</exception>
    public static PrometheusText Parse(string page)
    {
        Require(page.Length == 0 || page.EndsWith('\n'), "the last line does not end");
        Require(!page.Contains('\r', StringComparison.Ordinal), "there is a carriage return");
        var text = new PrometheusText();
        foreach (var line in page.Split('\n', StringSplitOptions.RemoveEmptyEntries))
            text.Take(line);
        text.CheckHistograms();
        return text;
    }

    /// <summary>counter, gauge or histogram.</summary>
    public string TypeOf(string family) => _types[family];

    /// <summary>All samples of a name, by their labels as they are written.</summary>
    public IReadOnlyDictionary<string, double> Samples(string name) => _samples
        .Where(sample => NameOf(sample.Key) == name)
        .ToDictionary(sample => sample.Key[name.Length..], sample => sample.Value);

    /// <summary>The one sample of a name whose labels hold these parts; NaN where there is none.</summary>
    public double Value(string name, params string[] parts)
    {
        var found = Samples(name).Where(sample => parts.All(part => sample.Key.Contains(part, StringComparison.Ordinal))).ToList();
        Require(found.Count <= 1, $"several samples are {name} with {string.Join(' ', parts)}");
        return found.Count == 0 ? double.NaN : found[0].Value;
    }

    private static string NameOf(string sample) => sample.Split('{')[0];

    private static void Require(bool isSo, string problem)
    {
        if (!isSo)
            throw new FormatException(problem);
    }

    private void Take(string line)
    {
        if (line.StartsWith("# HELP ", StringComparison.Ordinal))
        {
            var name = line.Split(' ')[2];
            Require(!_families.Contains(name), $"{name} is there twice");
            _families.Add(name);
            return;
        }

        if (line.StartsWith("# TYPE ", StringComparison.Ordinal))
        {
            var words = line.Split(' ');
            Require(words.Length == 4 && _families.LastOrDefault() == words[2], $"no help before {line}");
            Require(words[3] is "counter" or "gauge" or "histogram", $"no such type: {line}");
            Require((words[3] == "counter") == words[2].EndsWith("_total", StringComparison.Ordinal), $"misnamed: {line}");
            _types.Add(words[2], words[3]);
            return;
        }

        TakeSample(line);
    }

    private void TakeSample(string line)
    {
        var match = Sample().Match(line);
        Require(match.Success, $"no sample: {line}");
        var name = match.Groups["name"].Value;
        var family = _families.LastOrDefault() ?? string.Empty;
        Require(_types.ContainsKey(family), $"no type before {line}");
        Require(
            _types[family] == "histogram"
                ? name == family + "_bucket" || name == family + "_sum" || name == family + "_count"
                : name == family,
            $"{name} is not of {family}");
        var labels = match.Groups["label"].Captures.Select(label => label.Value.Split('=')[0]).ToList();
        Require(labels.Distinct().Count() == labels.Count, $"a label is there twice: {line}");
        var value = NumberOf(match.Groups["value"].Value);
        Require(_types[family] != "counter" || value >= 0, $"a counter is negative: {line}");
        var key = name + match.Groups["labels"].Value;
        Require(_samples.TryAdd(key, value), $"{key} is there twice");
    }

    private static double NumberOf(string text) => text switch
    {
        "+Inf" => double.PositiveInfinity,
        "-Inf" => double.NegativeInfinity,
        _ => double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture),
    };

    private void CheckHistograms()
    {
        foreach (var family in _families.Where(family => _types[family] == "histogram"))
        {
            var series = Samples(family + "_bucket").GroupBy(bucket => Bound().Replace(bucket.Key, string.Empty));
            foreach (var buckets in series)
            {
                var bounds = buckets.Select(bucket => NumberOf(Bound().Match(bucket.Key).Groups["bound"].Value)).ToList();
                Require(bounds.Zip(bounds.Skip(1)).All(pair => pair.First < pair.Second), $"{family}: bounds do not ascend");
                Require(bounds[^1] == double.PositiveInfinity, $"{family}: no bucket of all");
                var counts = buckets.Select(bucket => bucket.Value).ToList();
                Require(counts.Zip(counts.Skip(1)).All(pair => pair.First <= pair.Second), $"{family}: buckets decrease");
                var labels = buckets.Key.Replace(",}", "}", StringComparison.Ordinal);
                labels = labels == "{}" ? string.Empty : labels;
                Require(_samples[family + "_count" + labels] == counts[^1], $"{family}: the last bucket is not the count");
                Require(_samples[family + "_sum" + labels] >= 0, $"{family}: the sum would go back");
            }
        }
    }

    /// <summary>A label's value with its escapes undone.</summary>
    public static string Unescaped(string value)
    {
        var text = new StringBuilder();
        for (var i = 0; i < value.Length; i++)
        {
            if (value[i] == '\\')
                text.Append(value[++i] == 'n' ? '\n' : value[i]);
            else
                text.Append(value[i]);
        }

        return text.ToString();
    }

    [GeneratedRegex(
        @"^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)"
        + @"(?<labels>\{((?<label>[a-zA-Z_][a-zA-Z0-9_]*=""([^""\\\n]|\\[\\n""])*"")(,(?!\})|(?=\})))*\})? "
        + @"(?<value>[+-]Inf|NaN|[+-]?[0-9.]+([eE][+-]?[0-9]+)?)$")]
    private static partial Regex Sample();

    [GeneratedRegex(@"le=""(?<bound>[^""]+)"",?")]
    private static partial Regex Bound();
}
