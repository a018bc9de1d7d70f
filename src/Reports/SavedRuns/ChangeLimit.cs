using System.Globalization;
using System.Text.RegularExpressions;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>What a change may not be: <c>rtt.p99&gt;+5%</c>, or <c>throughput&lt;-3%</c>.</summary>
public sealed partial record ChangeLimit(string Text, string Metric, bool IsAbove, double Times)
{
    /// <summary>Reads one.</summary>
    /// <returns>Null where it is none.</returns>
    public static ChangeLimit? Parse(string text)
    {
        var match = Form().Match(text);
        if (!match.Success)
            return null;
        var times = 1 + (double.Parse(match.Groups["percent"].ValueSpan, CultureInfo.InvariantCulture) / 100);
        return times > 0
            ? new ChangeLimit(text, match.Groups["metric"].Value, match.Groups["sign"].Value[0] == '>', times)
            : null;
    }

    /// <summary>Whether the change is what it may not be; null where the interval lies on both sides.</summary>
    public bool? IsBroken(RunComparison comparison)
    {
        if (comparison.Rows.FirstOrDefault(row => row.Name == Metric)?.Change is not { } change)
            return null;
        var limit = Math.Log(Times);
        return IsAbove
            ? change.Lower > limit ? true : change.Upper <= limit ? false : null
            : change.Upper < limit ? true : change.Lower >= limit ? false : null;
    }

    [GeneratedRegex(@"^(?<metric>[A-Za-z0-9._-]+)\s*(?<sign>[<>]=?)\s*(?<percent>[+-]?\d{1,6}(\.\d{1,6})?)\s*%$")]
    private static partial Regex Form();
}
