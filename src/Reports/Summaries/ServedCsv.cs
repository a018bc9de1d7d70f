using System.Globalization;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// Prints what a Consumer served as CSV: a row for each stream of a producer; empty where a number is not known.
/// </summary>
public static class ServedCsv
{
    public static void Write(ServedRecord served, TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow(
            "run", "instance", "region", "stream", "received", "warm_up", "sent", "lost", "duplicated", "reordered",
            "ended");
        foreach (var producer in served.Producers)
        {
            var counts = producer.Counts;
            csv.WriteRow(
                producer.Run,
                producer.Instance,
                producer.Region ?? string.Empty,
                Text(producer.Stream),
                Text(counts.Received),
                Text(producer.WarmUp),
                Text(counts.Sent),
                Text(counts.Lost),
                Text(counts.Duplicated),
                Text(counts.Reordered),
                producer.HasEnded ? "true" : "false");
        }
    }

    private static string Text(long? number) => number?.ToString(CultureInfo.InvariantCulture) ?? string.Empty;
}
