using RedisLatency.Metrics.Machine;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.OneWay;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer;

/// <summary>The faults and notes of a round-trip measurement, in sentences.</summary>
internal static class ProducerVerdict
{
    public const string NoServer =
        "No server was named: this is the tool's own floor, with a server and a consumer inside this process.";

    /// <summary>Why the numbers may not be relied on; empty where they may.</summary>
    public static IEnumerable<string> Faults(TargetSession session, RunSummary summary, long scheduledNs, bool isWhole)
    {
        if (summary.Count(Counted.Returned) is null && summary.Count(Counted.Received) is null or 0)
        {
            yield return summary.Count(Counted.Received) == 0
                ? $"{summary.Name}: nothing arrived."
                : $"{summary.Name}: no consumer said what it had received, and without an echo nobody else can.";
            yield break;
        }

        if (summary.Count(Counted.Returned) + summary.Count(Counted.Late) == 0)
        {
            yield return $"{summary.Name}: nothing came back.";
            yield break;
        }

        var missing = MissingShare(summary);
        if (missing > VerdictLimits.TolerableLoss)
        {
            yield return $"{summary.Name}: {Quantity.Percent(missing)} of what was asked for was lost or never sent, "
                + "so the 99th percentile of all messages is not known.";
        }

        if (session.EndedUnanswered)
            yield return $"{summary.Name}: no more messages came back at the end, although the server answers.";
        if (isWhole && (VerdictLimits.ScheduleFault(
            summary.Name, summary.Count(Counted.Asked), summary.Count(Counted.Sent), summary.Rates, scheduledNs,
            (summary.DurationNs ?? 0) - session.Queue.DurationNs)
            ?? QueueFault(session, summary)) is { } late)
            yield return late;
        if (summary.Count(Counted.Wrong) is > 0 and var answers)
        {
            var wrong = session.Senders.Select(sender => sender.FirstWrong).FirstOrDefault(first => first is not null);
            yield return $"{summary.Name}: {Quantity.Count(answers)} wrong answers, "
                + $"the first: sent {wrong?.Sent}, received {wrong?.Received}.";
        }
    }

    private static string? QueueFault(TargetSession session, RunSummary summary) =>
        session.Queue.Fault(summary.Name, summary.Rates, session.MeasureDuration);

    /// <summary>The percentiles that are shown first: each that the instrument may have made a part of.</summary>
    public static IEnumerable<ShownPercentiles> Shown(TargetSession session, RunSummary summary, bool isAlone)
    {
        var mark = isAlone ? string.Empty : $"{summary.Name} ";
        var lateness = session.Metrics.Series
            .FirstOrDefault(series => series.Metric == ProducerMetrics.Lateness)?.Total;
        var roundTrips = summary.Latencies
            .Where(series => series.Name == ProducerMetrics.RoundTripFromIntended.Name
                || series.Name == ProducerMetrics.RoundTrip.Name)
            .Select(series => ShownPercentiles.Of(series, mark) with
            {
                Lateness = series.Name == ProducerMetrics.RoundTrip.Name ? null : lateness,
            });
        var ways = summary.OneWay.Where(pair => pair.Headline == OneWayHeadline.OneWay).SelectMany(pair => pair.Series)
            .Select(series => ShownPercentiles.Of(series, mark) with
            {
                Lateness = series.Name == OneWayMetrics.ForwardFromIntended.Name ? lateness : null,
            });
        return roundTrips.Concat(ways).Select(series => series with { Waits = session.Metrics.Waits });
    }

    // Of the echoes that were due: a message that was never sent would have had as many as the others.
    private static double MissingShare(RunSummary summary)
    {
        var sent = Math.Max(1, summary.Count(Counted.Sent) ?? 0);
        var owed = (double)(summary.Count(Counted.Owed) ?? sent);
        var unsent = (summary.Count(Counted.Unsent) ?? 0) * (owed / sent);
        return ((summary.Count(Counted.Lost) ?? 0) + unsent) / Math.Max(1, owed + unsent);
    }

    // Each ledger is one consumer's on one stream.
    private static IEnumerable<string> LossesByConsumer(TargetSession session, RunSummary summary)
    {
        var all = session.Senders
            .SelectMany(sender => sender.Ledgers.Select(ledger => (
                ledger.Consumer,
                Owed: Math.Max(0, sender.Counts.Sent - ledger.FirstSequence),
                ledger.Count(sender.Counts.Sent).Lost)))
            .GroupBy(ledger => session.Consumers.FirstOrDefault(found => found.Id == ledger.Consumer))
            .ToList();
        if (all.Count < 2)
            yield break;
        foreach (var consumer in all.Where(consumer => consumer.Sum(ledger => ledger.Lost) > 0))
        {
            var (lost, owed) = (consumer.Sum(ledger => ledger.Lost), consumer.Sum(ledger => ledger.Owed));
            var who = consumer.Key is { } known ? $"consumer {ConsumerAdvice.NameOf(known)}" : "unexpected consumers";
            yield return $"{summary.Name}: of the {Quantity.Count(owed)} echoes that {who} owed, "
                + $"{Quantity.Count(lost)} ({Quantity.Percent((double)lost / Math.Max(1, owed))}) were lost.";
        }
    }

    /// <summary>What to keep in mind although the numbers may be relied on.</summary>
    public static IEnumerable<string> Notes(TargetSession session, RunSummary summary, CpuUsage cpu)
    {
        if (session.HasOwnConsumer)
        {
            yield return $"{summary.Name}: no Consumer answered, so one in this process does; --consumer required "
                + "waits for one elsewhere.";
        }

        if (summary.Count(Counted.Lost) is > 0 and var missing && summary.Count(Counted.Returned) > 0)
        {
            yield return $"{summary.Name}: {Quantity.Count(missing)} lost "
                + (summary.Count(Counted.Owed) > summary.Count(Counted.Sent) ? "echoes count" : "messages count")
                + " as slower than all that came back.";
        }

        if (session.Queue.IsLeft && QueueFault(session, summary) is null)
            yield return session.Queue.Note(summary.Name);
        foreach (var loss in LossesByConsumer(session, summary))
            yield return loss;
        foreach (var twins in ConsumerAdvice.Twins(session.Consumers))
            yield return $"{summary.Name}: {twins}";
        foreach (var version in ConsumerAdvice.OtherVersions(session.Consumers))
            yield return $"{summary.Name}: {version}";

        if (summary.Count(Counted.Corrupted) is > 0 and var damaged)
            yield return $"{summary.Name}: {Quantity.Count(damaged)} damaged messages came back.";
        var unserved = session.Senders.Sum(sender => sender.Counts.Unserved);
        if (unserved > 0)
        {
            yield return session.HasOwnConsumer
                ? $"{summary.Name}: a Consumer that came later sent {Quantity.Count(unserved)} echoes, which do not "
                    + "count: the one in this process answers this run."
                : $"{summary.Name}: {Quantity.Count(unserved)} echoes are signed by more consumers than the "
                    + "15 unexpected ones that are told apart; they count as foreign.";
        }

        if (summary.Count(Counted.Foreign) - unserved is > 0 and var foreign)
        {
            yield return $"{summary.Name}: {Quantity.Count(foreign)} messages of other programs came on the reply "
                + "channel; use another --run.";
        }

        if (summary.Count(Counted.InFlightLimitHits) is > 0 and var hits)
        {
            yield return $"{summary.Name}: {Quantity.Count(hits)} messages had to "
                + "wait for room in flight (--max-in-flight).";
        }

        var refused = session.Senders.Sum(sender => sender.Counts.Refused);
        if (refused > 0)
        {
            var first = session.Senders.Select(sender => sender.FirstRefusal).First(text => text is not null);
            yield return $"{summary.Name}: the server refused {Quantity.Count(refused)} messages, the first "
                + $"with: {first}";
        }

        var lost = session.Senders.Sum(sender => sender.Counts.ConnectionsLost);
        if (lost > 0)
        {
            var restored = session.Senders.Sum(sender => sender.Outages.Count(outage => outage.EndNs is not null));
            yield return $"{summary.Name}: the connection was lost {Quantity.Count(lost)} times and restored "
                + $"{Quantity.Count(restored)} times.";
        }

        if (cpu.ThrottledPeriods > 0)
            yield return $"This process was throttled by its CPU quota {cpu.ThrottledPeriods} times.";
        if (session.Server.WhyNot is { } whyNot)
            yield return $"{summary.Name}: the server's own facts are not known: {whyNot}";
    }
}
