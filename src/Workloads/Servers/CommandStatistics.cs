using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Servers;

/// <summary>
/// What a server counted of each command: <c>INFO commandstats</c>, and from Redis 7 <c>LATENCY HISTOGRAM</c>, with
/// buckets of powers of 2 µs.
/// </summary>
internal sealed class CommandStatistics
{
    private readonly Dictionary<string, Use> _uses = [];
    private readonly Dictionary<string, SortedDictionary<long, long>> _histograms = [];

    /// <summary>What the server does not know or allow stays empty.</summary>
    public static CommandStatistics Read(RedisConnection connection)
    {
        var statistics = new CommandStatistics();
        var info = connection.Request(RespLimits.List, "INFO", "commandstats");
        if (!info.IsError)
            statistics.TakeInfo(info.Text);
        var histograms = connection.Request(RespLimits.List, "LATENCY", "HISTOGRAM");
        if (!histograms.IsError)
            statistics.TakeHistograms(histograms);
        return statistics;
    }

    /// <summary>Whether a counter is behind an earlier look: CONFIG RESETSTAT. Whoever asks is counted, too.</summary>
    public bool IsResetSince(CommandStatistics before) => _uses.Count > 0
        && before._uses.Any(use => (_uses.GetValueOrDefault(use.Key)?.Calls ?? 0) < use.Value.Calls);

    public CommandStatistics Since(CommandStatistics before)
    {
        var since = new CommandStatistics();
        foreach (var (command, now) in _uses)
            since._uses[command] = now.Since(before._uses.GetValueOrDefault(command));
        foreach (var (command, now) in _histograms)
        {
            var earlier = before._histograms.GetValueOrDefault(command);
            since._histograms[command] = new(now.ToDictionary(
                bucket => bucket.Key,
                bucket => bucket.Value - (earlier?.GetValueOrDefault(bucket.Key) ?? 0)));
        }

        return since;
    }

    public void Add(CommandStatistics other, Func<string, bool> counts)
    {
        foreach (var (command, use) in other._uses.Where(use => counts(use.Key)))
            _uses[command] = _uses.TryGetValue(command, out var own) ? own.Plus(use) : use;
        foreach (var (command, buckets) in other._histograms.Where(histogram => counts(histogram.Key)))
        {
            if (!_histograms.TryGetValue(command, out var own))
                _histograms.Add(command, own = []);
            foreach (var (limit, count) in buckets)
                own[limit] = own.GetValueOrDefault(limit) + count;
        }
    }

    /// <summary>The most frequent first; those of the looks and of replicas are left out.</summary>
    public IReadOnlyList<ServerCommandUse> Uses() =>
    [
        .. _uses.Where(use => !IsBesideTheWork(use.Key) && (use.Value.Calls > 0 || use.Value.Rejected > 0))
            .Select(use => UseOf(use.Key, use.Value))
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
                .DistinctBy(field => field[0])
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
            var below = 0L;
            for (var j = 0; j + 1 < buckets.Items.Count; j += 2)
            {
                var sum = buckets.Items[j + 1].Number;
                counts[buckets.Items[j].Number] = sum - below;
                below = sum;
            }

            _histograms[reply.Items[i].Text.Replace('|', ' ')] = counts;
        }
    }

    private static bool IsBesideTheWork(string command) =>
        command is "info" or "dbsize" or "hello" or "auth" or "ping" or "select" or "command" or "replconf"
        || command.StartsWith("client", StringComparison.Ordinal)
        || command.StartsWith("latency", StringComparison.Ordinal)
        || command.StartsWith("script", StringComparison.Ordinal);

    private ServerCommandUse UseOf(string command, Use use) => new()
    {
        Command = command,
        Calls = use.Calls,
        Rejected = use.Rejected,
        Failed = use.Failed,
        MeanMicroseconds = use.Calls > 0 ? (double)use.Microseconds / use.Calls : null,
        P50Microseconds = Percentile(command, 0.5),
        P99Microseconds = Percentile(command, 0.99),
    };

    private long? Percentile(string command, double share)
    {
        if (!_histograms.TryGetValue(command, out var buckets) || buckets.Values.Sum() is var all && all <= 0)
            return null;
        var sum = 0L;
        foreach (var (limit, count) in buckets)
        {
            sum += count;
            if (sum >= share * all)
                return limit;
        }

        return null;
    }

    private static long? Number(Dictionary<string, string> fields, string name) =>
        long.TryParse(fields.GetValueOrDefault(name), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;

    private sealed record Use(long Calls, long Microseconds, long? Rejected, long? Failed)
    {
        public Use Since(Use? before) => before is null ? this : new(
            Calls - before.Calls, Microseconds - before.Microseconds,
            Rejected - (before.Rejected ?? 0), Failed - (before.Failed ?? 0));

        public Use Plus(Use other) => new(
            Calls + other.Calls, Microseconds + other.Microseconds, Rejected + other.Rejected, Failed + other.Failed);
    }
}
