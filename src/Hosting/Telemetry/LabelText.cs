using System.Globalization;
using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Labels as the text format writes them, without their braces: <c>source="a",shard="b"</c>.</summary>
internal static class LabelText
{
    /// <summary>The tags in their order; those without a value are left out, which means the same.</summary>
    public static string Of(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = new StringBuilder();
        foreach (var (name, value) in tags)
        {
            if (Convert.ToString(value, CultureInfo.InvariantCulture) is not { Length: > 0 } shown)
                continue;
            if (text.Length > 0)
                text.Append(',');
            text.Append(MetricName.Cleaned(name)).Append("=\"").Append(Escaped(shown)).Append('"');
        }

        return text.ToString();
    }

    private static string Escaped(string value) => value
        .Replace("\\", "\\\\", StringComparison.Ordinal)
        .Replace("\"", "\\\"", StringComparison.Ordinal)
        .Replace("\n", "\\n", StringComparison.Ordinal);
}
