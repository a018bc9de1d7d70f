using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Verdicts;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.Targets;

namespace RedisLatency.Producer.Reporting;

/// <summary>Says whether a target's numbers may be relied on, and what to keep in mind.</summary>
internal static class ProducerVerdict
{
    /// <summary>
    /// Of what was asked for, so much may be missing: with more, the 99th percentile of all is not known any more.
    /// </summary>
    private const double TolerableLoss = 0.01;

    /// <summary>The schedule counts as kept when the rate reached this share of what was asked.</summary>
    private const double KeptRate = 0.99;

    /// <summary>Why the numbers may not be relied on; empty where they may.</summary>
    /// <param name="session">The target.</param>
    /// <param name="summary">What was measured.</param>
    /// <param name="isWhole">Whether the measured phase went to its end.</param>
    public static IEnumerable<string> Faults(TargetSession session, RunSummary summary, bool isWhole)
    {
        var counts = summary.Counts;
        if (counts is { Returned: null, Received: null or 0 })
        {
            yield return counts.Received == 0
                ? $"{summary.Name}: nothing arrived."
                : $"{summary.Name}: no consumer said what it had received, and without an echo nobody else can.";
            yield break;
        }

        if (counts.Returned + counts.Late == 0)
        {
            yield return $"{summary.Name}: nothing came back.";
            yield break;
        }

        var missing = (double)(counts.Lost + counts.Unsent ?? 0) / Math.Max(1, counts.Asked ?? 0);
        if (missing > TolerableLoss)
        {
            yield return $"{summary.Name}: {Quantity.Percent(missing)} of what was asked for was lost or never sent, "
                + "so the 99th percentile of all messages is not known.";
        }

        if (isWhole && summary.Rates is { Asked: { } asked, Achieved: { } achieved } && achieved < KeptRate * asked)
        {
            yield return $"{summary.Name}: the schedule could not be kept: {Quantity.Rate(achieved)} "
                + $"of {Quantity.Rate(asked)}.";
        }

        if (counts.Wrong > 0)
        {
            var wrong = session.Senders.Select(sender => sender.FirstWrong).FirstOrDefault(first => first is not null);
            yield return $"{summary.Name}: {Quantity.Count(counts.Wrong.Value)} wrong answers, "
                + $"the first: sent {wrong?.Sent}, received {wrong?.Received}.";
        }
    }

    /// <summary>Which numbers the instrument or the machine made a material part of.</summary>
    public static IEnumerable<string> Doubts(RunSummary summary, LatencySeries hiccups)
    {
        var lateness = summary.Latencies.FirstOrDefault(series => series.Name == SeriesNames.Lateness);
        return summary.Latencies
            .Where(series => series.Name is SeriesNames.RoundTripFromIntended or SeriesNames.RoundTrip)
            .SelectMany(series => InstrumentDoubts.Of(
                $"{summary.Name}, {series.Name}", series, hiccups,
                series.Name == SeriesNames.RoundTripFromIntended ? lateness : null));
    }

    /// <summary>What to keep in mind although the numbers may be relied on.</summary>
    public static IEnumerable<string> Notes(TargetSession session, RunSummary summary, CpuUsage cpu)
    {
        var counts = summary.Counts;
        if (counts.Lost > 0 && counts.Returned > 0)
        {
            yield return $"{summary.Name}: {Quantity.Count(counts.Lost.Value)} lost messages have no latency and are in "
                + "no percentile.";
        }

        if (counts.Corrupted > 0)
            yield return $"{summary.Name}: {Quantity.Count(counts.Corrupted.Value)} damaged messages came back.";
        if (counts.Foreign > 0)
        {
            yield return $"{summary.Name}: {Quantity.Count(counts.Foreign.Value)} messages of others came on the reply "
                + "channel; another --run keeps them away.";
        }

        if (counts.InFlightLimitHits > 0)
        {
            yield return $"{summary.Name}: {Quantity.Count(counts.InFlightLimitHits.Value)} messages had to wait for room "
                + "in flight (--max-in-flight).";
        }

        var refused = session.Senders.Sum(sender => sender.Counts.Refused);
        if (refused > 0)
        {
            var first = session.Senders.Select(sender => sender.FirstRefusal).First(text => text is not null);
            yield return $"{summary.Name}: the server refused {Quantity.Count(refused)} messages, the first with: {first}";
        }

        var lost = session.Senders.Sum(sender => sender.Counts.ConnectionsLost);
        if (lost > 0)
            yield return $"{summary.Name}: the connection was lost {lost} times and restored.";
        if (cpu.ThrottledPeriods > 0)
            yield return $"This process was throttled by its CPU quota {cpu.ThrottledPeriods} times.";
        if (session.Server.WhyNot is { } whyNot)
            yield return $"{summary.Name}: the server's own facts are not known: {whyNot}";
    }
}
