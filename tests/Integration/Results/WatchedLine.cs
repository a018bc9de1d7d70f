using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Results;

/// <summary>A line that <c>watch</c> prints of a second and a role.</summary>
internal sealed partial record WatchedLine(
    string Time, string Role, string Series, string Members, long Count, string P50, string P99, string Max)
{
    /// <summary>Starts the verb for a run.</summary>
    public static ServiceProcess Start(string control, string run, params string[] arguments) =>
        ServiceProcess.Start("Tool", ["watch", "--control", control, "--run", run, .. arguments]);

    /// <summary>What it has printed of seconds so far.</summary>
    public static IReadOnlyList<WatchedLine> Of(ServiceProcess watch) =>
    [
        .. watch.Output.Lines.Select(line => Pattern().Match(line)).Where(match => match.Success).Select(match =>
            new WatchedLine(
                match.Groups["time"].Value, match.Groups["role"].Value, match.Groups["series"].Value,
                match.Groups["members"].Value,
                long.Parse(match.Groups["count"].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture),
                match.Groups["p50"].Value, match.Groups["p99"].Value, match.Groups["max"].Value)),
    ];

    [GeneratedRegex(
        @"^ +(?<time>\d+:\d\d) (?<role>\w+) +(?<series>[\w-]+) +(?<members>\d+/\d+) +(?<count>[\d,]+)"
        + @" +(?<p50>-|\S+ \S+) +(?<p99>-|\S+ \S+) +(?<max>-|\S+ \S+)$")]
    private static partial Regex Pattern();
}
