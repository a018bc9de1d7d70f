using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>A file of properties as Java reads it, or one of YCSB's own workloads by its name.</summary>
internal static class YcsbPropertyFile
{
    private const string Zipfian = "requestdistribution=zipfian";
    private const string Common = "recordcount=1000\noperationcount=1000\nworkload=site.ycsb.workloads.CoreWorkload\n"
        + "readallfields=true\nreadproportion=0\nupdateproportion=0\nscanproportion=0\ninsertproportion=0\n";

    private static readonly Dictionary<string, string> Known = new()
    {
        ["workloada"] = $"{Common}readproportion=0.5\nupdateproportion=0.5\n{Zipfian}",
        ["workloadb"] = $"{Common}readproportion=0.95\nupdateproportion=0.05\n{Zipfian}",
        ["workloadc"] = $"{Common}readproportion=1\n{Zipfian}",
        ["workloadd"] = $"{Common}readproportion=0.95\ninsertproportion=0.05\nrequestdistribution=latest",
        ["workloade"] = $"{Common}scanproportion=0.95\ninsertproportion=0.05\nmaxscanlength=100\n"
            + $"scanlengthdistribution=uniform\n{Zipfian}",
        ["workloadf"] = $"{Common}readproportion=0.5\nreadmodifywriteproportion=0.5\n{Zipfian}",
    };

    /// <exception cref="ConfigurationException">It cannot be read.</exception>
    public static IEnumerable<(string Name, string Value)> Read(string path)
    {
        if (!File.Exists(path) && Known.TryGetValue(Path.GetFileName(path), out var text))
            return Parse(text);
        try
        {
            return Parse(Encoding.Latin1.GetString(LimitedFile.ReadAll(path, SmallFile.Most)));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException($"-P {path}: {failure.Message}");
        }
    }

    /// <summary>Lines of name=value, name:value or name value; a backslash joins the next line.</summary>
    public static IEnumerable<(string Name, string Value)> Parse(string text)
    {
        var logical = new StringBuilder();
        foreach (var physical in text.Split(["\r\n", "\n", "\r"], StringSplitOptions.None))
        {
            var line = physical.TrimStart(' ', '\t', '\f');
            if (logical.Length == 0 && (line.Length == 0 || line[0] is '#' or '!'))
                continue;
            var slashes = line.Length - line.TrimEnd('\\').Length;
            logical.Append(slashes % 2 == 1 ? line[..^1] : line);
            if (slashes % 2 == 1)
                continue;
            yield return Split(logical.ToString());
            logical.Clear();
        }

        if (logical.Length > 0)
            yield return Split(logical.ToString());
    }

    private static (string Name, string Value) Split(string line)
    {
        var end = 0;
        while (end < line.Length && line[end] is not ('=' or ':' or ' ' or '\t' or '\f'))
            end += line[end] == '\\' ? 2 : 1;
        var name = line[..Math.Min(end, line.Length)];
        var value = line[Math.Min(end, line.Length)..].TrimStart(' ', '\t', '\f');
        if (value.Length > 0 && value[0] is '=' or ':')
            value = value[1..].TrimStart(' ', '\t', '\f');
        return (Unescaped(name), Unescaped(value));
    }

    private static string Unescaped(string text)
    {
        var plain = new StringBuilder();
        for (var at = 0; at < text.Length; at++)
        {
            if (text[at] != '\\' || at + 1 == text.Length)
            {
                plain.Append(text[at]);
                continue;
            }

            if (text[++at] == 'u' && at + 4 < text.Length && ushort.TryParse(
                text.AsSpan(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var code))
            {
                plain.Append((char)code);
                at += 4;
                continue;
            }

            plain.Append(text[at] switch { 't' => '\t', 'n' => '\n', 'r' => '\r', 'f' => '\f', var other => other });
        }

        return plain.ToString();
    }
}
