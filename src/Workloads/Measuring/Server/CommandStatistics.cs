using System.Globalization;
using RedisLatency.Metrics.Results.Records.Workloads;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Workloads.Measuring.Server;

/// <summary>
/// What a server has counted of its commands since it started: <c>INFO commandstats</c>, and from Redis 7 on
/// <c>LATENCY HISTOGRAM</c>, whose counts are cumulative over powers of two of a microsecond.
/// </summary>
internal sealed class CommandStatistics
{
    private readonly Dictionary<string, Use> _uses = [];
    private readonly Dictionary<string, SortedDictionary<long, long>> _histograms = [];

    /// <summary>Asks the server; what it does not know or allow stays empty.</summary>
    /// <exception cref="Redis.RedisException">The connection is gone.</exception>
    public static CommandStatistics Read(RedisConnection connection)
    {
        var statistics = new CommandStatistics();
        var info = connection.Request("INFO", "commandstats");
        if (!info.IsError)
            statistics.TakeInfo(info.Text);
        var histograms = connection.Request("LATENCY", "HISTOGRAM");
        if (!histograms.IsError)
            statistics.TakeHistograms(histograms);
        return statistics;
    }

    /// <summary>
    /// What it did since an earlier look, the most frequent command first; the looks' own are left out.
    /// </summary>
    public IReadOnlyList<ServerCommandUse> Since(CommandStatistics before) =>
    [
        .. _uses.Where(use => !IsOfTheLooks(use.Key))
            .Select(use => Difference(use.Key, use.Value, before))
            .Where(use => use.Calls > 0 || use.Rejected > 0)
            .OrderByDescending(use => use.Calls),
    ];

    internal void TakeInfo(string info)
    {
        foreach (var line in info.Split('\n', StringSplitOptions.TrimEntries))
        {
            const string Prefix = "cmdstat_";
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (!line.StartsWith(Prefix, StringComparison.Ordinal) || colon < 0)
                continue;
            var fields = line[(colon + 1)..].Split(',')
                .Select(field => field.Split('='))
                .Where(field => field.Length == 2)
                .ToDictionary(field => field[0], field => field[1]);
            _uses[line[Prefix.Length..colon].Replace('|', ' ')] = new Use(
                Number(fields, "calls") ?? 0,
                Number(fields, "usec") ?? 0,
                Number(fields, "rejected_calls"),
                Number(fields, "failed_calls"));
        }
    }

    // {"set": {"calls": 3, "histogram_usec": {1: 1, 2: 3}}}; an array of pairs in RESP2.
    internal void TakeHistograms(RespValue reply)
    {
        for (var i = 0; i + 1 < reply.Items.Count; i += 2)
        {
            if (reply.Items[i + 1].Find("histogram_usec") is not { } buckets)
                continue;
            var counts = new SortedDictionary<long, long>();
            for (var j = 0; j + 1 < buckets.Items.Count; j += 2)
                counts[buckets.Items[j].Number] = buckets.Items[j + 1].Number;
            _histograms[reply.Items[i].Text.Replace('|', ' ')] = counts;
        }
    }

    private static bool IsOfTheLooks(string command) =>
        command is "info" or "dbsize" or "hello" or "auth" or "ping" or "select" or "command"
        || command.StartsWith("client", StringComparison.Ordinal)
        || command.StartsWith("latency", StringComparison.Ordinal)
        || command.StartsWith("script", StringComparison.Ordinal);

    private ServerCommandUse Difference(string command, Use now, CommandStatistics before)
    {
        var was = before._uses.GetValueOrDefault(command, new Use(0, 0, null, null));
        var calls = now.Calls - was.Calls;
        return new ServerCommandUse
        {
            Command = command,
            Calls = calls,
            Rejected = now.Rejected - (was.Rejected ?? 0),
            Failed = now.Failed - (was.Failed ?? 0),
            MeanMicroseconds = calls > 0 ? (double)(now.Microseconds - was.Microseconds) / calls : null,
            P50Microseconds = Percentile(command, before, 0.5),
            P99Microseconds = Percentile(command, before, 0.99),
        };
    }

    private long? Percentile(string command, CommandStatistics before, double share)
    {
        if (!_histograms.TryGetValue(command, out var now))
            return null;
        var earlier = before._histograms.GetValueOrDefault(command) ?? [];
        var all = now.Values.LastOrDefault() - earlier.Values.LastOrDefault();
        if (all <= 0)
            return null;
        foreach (var (limit, count) in now)
        {
            // Buckets that nothing was counted in are left out: the one below has the same sum.
            var was = earlier.LastOrDefault(bucket => bucket.Key <= limit).Value;
            if (count - was >= share * all)
                return limit;
        }

        return null;
    }

    private static long? Number(Dictionary<string, string> fields, string name) =>
        long.TryParse(fields.GetValueOrDefault(name), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;

    private sealed record Use(long Calls, long Microseconds, long? Rejected, long? Failed);
}
