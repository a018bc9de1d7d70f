using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>The last line of a summary, for scripts: <c>RESULT role=producer verdict=valid … exit=0</c>.</summary>
internal static class ResultLine
{
    public static string Of(RunRecord record)
    {
        var words = new List<string>
        {
            "RESULT",
            $"role={record.Role}",
            $"verdict={SummaryText.Word(record.Verdict.Status).ToLowerInvariant().Replace(' ', '-')}",
            $"partial={(record.Partial ? "true" : "false")}",
        };
        if (record.Targets.Count > 0)
            words.Add($"target={string.Join(',', record.Targets.Select(target => target.Name.Replace(' ', '-')))}");
        if (record.Thresholds.Count > 0)
        {
            var held = record.Thresholds.Count(result => result.Held == true);
            words.Add($"thresholds={Text(held)}/{Text(record.Thresholds.Count)}");
        }

        if (record.Role == ServedRecord.Role)
        {
            var served = new ServedRecord(record);
            words.Add($"served={Text(served.Producers.Count)}");
            words.Add($"echoed={Text(served.Echoed)}");
            if (record.Forward?.FromSent is { } forward)
            {
                if (forward.Percentiles.At(50)?.Value is { } median)
                    words.Add($"forward_p50_us={Microseconds(median)}");
                words.Add($"clock_error_us={Microseconds(forward.ErrorNs)}");
            }
        }

        if (record.Role == WorkloadResults.Role)
            words.AddRange(WorkloadResults.ResultWords(record));
        var hasMessages = record.Role is not (ServedRecord.Role or WorkloadResults.Role);
        for (var i = 0; i < record.Summaries.Count && hasMessages; i++)
        {
            var mark = record.Summaries.Count > 1 ? $"{SummaryMark.Of(i)}." : string.Empty;
            var summary = record.Summaries[i];
            AddCount(mark + "sent", summary.Counts.Sent);
            AddCount(mark + "returned", summary.Counts.Returned);
            if (summary.Delay is { ReadElsewhere: true } written)
            {
                AddCount(mark + "refused", written.Refused);
                AddCount(mark + "unsent", written.Unsent);
                continue;
            }

            if (summary.Delay is { } delay)
                AddDelay(mark, delay);
            else
            {
                AddCount(mark + "lost", summary.Counts.Lost);
                AddCount(mark + "late", summary.Counts.Late);
            }

            foreach (var series in summary.Latencies.Where(
                series => series.Name is "rtt" or "rtt-intended" or "delay" or "delay-intended"))
            {
                AddPercentile(mark, summary, series, 50);
                AddPercentile(mark, summary, series, 99);
            }

            if (summary.OneWay is [{ Grade: { } grade } pair])
            {
                words.Add($"{mark}one_way_grade={grade}");
                if (pair.Offset is { } offset)
                    words.Add($"{mark}clock_error_us={Microseconds(offset.ErrorWorstNs)}");
                foreach (var series in pair.Series)
                {
                    if (series.Percentiles.At(50)?.Value is { } median)
                        words.Add($"{mark}{series.Name}_p50_us={Microseconds(median)}");
                }
            }
        }

        words.Add($"exit={Text(record.ExitCode)}");
        return string.Join(' ', words);

        void AddCount(string name, long? count)
        {
            if (count is { } known)
                words.Add($"{name}={Text(known)}");
        }

        // What was sent is all of these but what is unsent.
        void AddDelay(string mark, ReplicationDelay delay)
        {
            AddCount(mark + "read", delay.Read);
            if (delay.Heartbeat is { } heartbeat)
            {
                AddCount(mark + "skipped", heartbeat.Skipped);
            }
            else
            {
                AddCount(mark + "missing", delay.Missing);
                AddCount(mark + "overwritten", delay.Overwritten);
            }

            AddCount(mark + "refused", delay.Refused);
            AddCount(mark + "unread", delay.Unread);
            AddCount(mark + "unsent", delay.Unsent);
            if (delay.ErrorNs is > 0 and var error)
                words.Add($"{mark}clock_error_us={Microseconds(error)}");
        }

        void AddPercentile(string mark, RunSummary summary, LatencySeries series, double percentile)
        {
            if (DelayCells.EndsOf(summary, series.Name, percentile) is var (least, most))
            {
                var ends = $"{Microseconds(least)}{DelayCells.Between}{Microseconds(most)}";
                words.Add($"{mark}{series.Name}_p{Text((long)percentile)}_us={ends}");
            }

            if (series.Percentiles.At(percentile)?.Value is not { } value)
                return;
            words.Add($"{mark}{series.Name}_p{Text((long)percentile)}_us={Microseconds(value)}");
        }
    }

    internal static string Microseconds(double nanoseconds) =>
        (nanoseconds / 1e3).ToString("0.###", CultureInfo.InvariantCulture);

    internal static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
