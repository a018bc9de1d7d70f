using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>The interval log that a run left behind, by the summaries of its record.</summary>
internal static class LoggedParts
{
    /// <summary>The mean of what was measured, in nanoseconds, whatever is missing besides.</summary>
    public static double LoggedMean(this ServiceProcess process, string tag)
    {
        var all = LatencyHistogram.ForLatency();
        foreach (var interval in Logged(process).Where(interval => interval.Tag == tag))
            all.Add(interval.Histogram);
        return all.Mean;
    }

    /// <summary>That every series of every destination and shard is there by its tag, with as many values.</summary>
    public static void ShouldBeLoggedByParts(this JsonNode record, ServiceProcess process)
    {
        var counts = Logged(process).GroupBy(interval => interval.Tag ?? string.Empty)
            .ToDictionary(intervals => intervals.Key, intervals => intervals.Sum(one => one.Histogram.TotalCount));
        var summaries = record["summaries"]!.AsArray();
        summaries.Count.ShouldBeGreaterThan(1);
        for (var place = 1; place < summaries.Count; place++)
        {
            foreach (var series in summaries[place]!["latencies"]!.AsArray())
            {
                var tag = SummaryMark.TagOf(place, series!["name"]!.GetValue<string>());
                counts.GetValueOrDefault(tag).ShouldBe(series["count"]!.GetValue<long>(), tag);
            }
        }

        counts.Keys.Where(tag => tag.Contains('.', StringComparison.Ordinal)).Select(tag => tag.Split('.')[0]).Distinct()
            .Order().ShouldBe(Enumerable.Range(1, summaries.Count - 1).Select(SummaryMark.Of));
    }

    private static List<LoggedInterval> Logged(ServiceProcess process)
    {
        using var file = File.OpenRead(
            Directory.GetFiles(process.Folder, "latency.hlog", SearchOption.AllDirectories).ShouldHaveSingleItem());
        return [.. new IntervalLogReader(file).ReadAll()];
    }
}
