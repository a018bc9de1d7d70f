using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Consumer;

internal sealed class ConsumerRecord(
    ConsumerOptions options,
    ConsumerPlan plan,
    EchoSession session,
    ProbeAnswering probes,
    ForwardRecording forwardRecording,
    ServedIntervals intervals,
    RunContext run,
    FleetRun? fleet)
{
    public RunRecord Create(RunRecording recording, MeasuredTarget target, long durationNs)
    {
        var forward = run.Part(() => forwardRecording.Record(NameOf, LostOf));
        ConsumerMetrics.AddForward(session.Metrics, forward, forwardRecording.Rows, session.UnendedStreams);
        // What anybody has sent is in them.
        List<RunSummary> summaries = [Whole(durationNs), .. run.Parts<RunSummary>(() => [.. Rows()])];
        var clock = probes.Clock;
        return recording.Describe(new RunFindings
        {
            Summaries = summaries,
            Forward = forward,
            Targets = [target],
            Events = [.. fleet?.Events ?? [], .. intervals.Events],
            Faults = run.Parts<string>(() => [.. Faults(forward, summaries)]),
            Notes = run.Parts<string>(() =>
            [
                .. fleet?.Notes ?? [], .. Notes(summaries),
                .. Missed(), .. Forgotten(), .. Refusals(), .. NotCorrected(summaries[0]),
                .. Unproven(forward),
            ]),
            // Not of the residence: what comes while this process stands still is received afterwards.
            Shown = run.Parts<ShownPercentiles>(() =>
            [
                .. forward?.Series.Select(series =>
                    ShownPercentiles.Of(series) with { Waits = session.Metrics.Waits }) ?? [],
            ]),
            Thresholds = run.Parts<MeasuredThreshold>(() =>
            [
                .. options.Output.Thresholds.Select(
                    threshold => RunRecordParts.Threshold(threshold.Evaluate(session.Metrics.Find(threshold)))),
            ]),
            // Until it is stopped is as long as it was to serve, unless it was told a time, or whom to serve.
            EndsWhenStopped = options.Duration is null && fleet is null,
        }) with
        {
            Clock = clock,
            ProbeServices = [.. probes.Services],
        };
    }

    private IEnumerable<string> Faults(ServedForward? forward, List<RunSummary> summaries)
    {
        var whole = summaries.FirstOrDefault();
        var (received, lost) = (whole?.Count(Counted.Received) ?? 0, whole?.Count(Counted.Lost) ?? 0);
        if (lost > VerdictLimits.TolerableLoss * (received + lost))
        {
            yield return $"{Quantity.Percent((double)lost / (received + lost))} of the messages never came, so the "
                + "99th percentile of all is not known.";
        }

        if (forwardRecording.IsSynthetic)
            yield return SyntheticClock.Fault;
        if (BeyondError(forward) is { } beyond)
            yield return beyond;
    }

    private List<ServedProducer> Producers() =>
    [
        .. session.Echoes.SelectMany(echo => echo.Streams).Select(stream => ServedProducers.Of(stream, plan.Run))
            .Where(HasSent),
    ];

    private RunSummary Whole(long durationNs) => new()
    {
        Name = ServedRecord.Everything,
        Peers = run.Parts<string>(() => [.. Producers().Select(producer => producer.Peer).Distinct()]),
        DurationNs = durationNs,
        Metrics = run.Parts<RecordedMetric>(
            () => [.. session.Metrics.Recorded.Select(LeastOfUnended), .. forwardRecording.Rows]),
        Rates = new MessageRates { Achieved = MeasuredRate() },
        Latencies = session.Metrics.Latencies,
    };

    // Of a stream whose end did not come, more may be lost.
    private RecordedMetric LeastOfUnended(RecordedMetric row) =>
        row with { IsLeast = row.Name == Counted.Lost.Name && session.UnendedStreams > 0 };

    private IEnumerable<RunSummary> Rows()
    {
        var totals = ServedTotals.Of(session.Echoes);
        foreach (var producer in Producers())
            yield return new RunSummary { Name = producer.Name, Peers = [producer.Peer], Metrics = producer.Metrics };
        if (totals.Plain > 0)
            yield return Beside(ServedRecord.PlainCounts, totals.Plain, totals.Plain);
        if (totals.OtherVersion > 0)
            yield return Beside(ServedRecord.OtherVersion, totals.OtherVersion, 0);
    }

    // Of the measured messages, from the first to the last: before and after there was nothing to do. Null for one.
    private double? MeasuredRate()
    {
        var measured = session.Echoes.SelectMany(echo => echo.Streams).Where(stream => stream.Received > 0).ToList();
        if (measured.Count == 0)
            return null;
        var span = measured.Max(stream => stream.LastMeasured) - measured.Min(stream => stream.FirstMeasured);
        return span > 0 ? (measured.Sum(stream => stream.Received) - 1) * 1e9 / span : null;
    }

    // Who only asked whether somebody is there was not served.
    private static bool HasSent(ServedProducer producer) =>
        producer.Count(Counted.Echoed) > 0 || producer.Count(Counted.Kept) > 0 || producer.HasEnded;

    private static RunSummary Beside(string name, long received, long echoed) => new()
    {
        Name = name,
        Metrics = [RecordedMetric.Of(Counted.Received, received), RecordedMetric.Of(Counted.Echoed, echoed)],
    };

    private static IEnumerable<string> Notes(List<RunSummary> summaries)
    {
        if (summaries is [var whole, ..] && whole.Count(Counted.Echoed) == 0 && whole.Count(Counted.Kept) == 0)
            yield return "No producer sent anything on this channel while this Consumer served.";
        var unended = summaries.Select(ServedProducer.Of).OfType<ServedProducer>()
            .Count(producer => !producer.HasEnded);
        if (unended > 0)
        {
            yield return $"The end of {ServedProducers.Streams(unended)} did not come: what they lost after the last "
                + "message that came is not known.";
        }
    }

    private IEnumerable<string> Missed()
    {
        var joined = session.Echoes.SelectMany(echo => echo.Streams).Where(stream => stream.Missed > 0).ToList();
        if (joined.Count > 0)
        {
            yield return $"{Quantity.Count(joined.SaturatedSum(stream => stream.Missed))} messages of "
                + $"{ServedProducers.Streams(joined.Count)} were sent before this Consumer heard of them; they do not "
                + "count.";
        }
    }

    private IEnumerable<string> Forgotten()
    {
        if (session.Echoes.Sum(echo => echo.ForgottenStreams) is > 0 and var forgotten)
        {
            yield return $"{Quantity.Count(forgotten)} streams of producers are in no row, nor in what was received "
                + "and lost: only the latest thousand are kept.";
        }
    }

    private IEnumerable<string> Refusals()
    {
        if (session.Refused > 0)
        {
            yield return $"The server refused at least {Quantity.Count(session.Refused)} of what is counted as echoed, "
                + $"the last: {session.LastRefusal}";
        }
    }

    private string NameOf(ulong producer) =>
        session.Echoes.SelectMany(echo => echo.Streams)
            .FirstOrDefault(stream => stream.Producer == producer) is { } known
            ? ServedProducers.NameOf(known, plan.Run)
            : ServedProducers.NameOf(producer);

    private long LostOf(ulong producer) => session.Echoes.SelectMany(echo => echo.Streams)
        .Where(stream => stream.Producer == producer).SaturatedSum(stream => stream.Count().Lost);

    // Nothing arrives before it was sent: what was told of the clocks is false, or nobody's stamps are true.
    private static string? BeyondError(ServedForward? forward)
    {
        var beyond = forward?.Series.Sum(series => series.NegativesBeyondError) ?? 0;
        if (beyond == 0)
            return null;
        var whose = forward!.Producers.Where(producer => producer.NegativesBeyondError > 0)
            .Select(producer => producer.Name);
        return $"{Quantity.Count(beyond)} messages took less than nothing by more than ±E: the clock offset that "
            + $"{string.Join(", ", whose)} told, or its bound, is wrong.";
    }

    // The residence is valid all the same.
    private static IEnumerable<string> Unproven(ServedForward? forward) =>
        from producer in forward?.Producers ?? []
        where producer.UnprovenWindows > 0
        select $"One way from {producer.Name} is not valid: E is not proven in "
            + $"{Quantity.Count(producer.UnprovenWindows)} of the windows that it told. Its own result says why.";

    private static IEnumerable<string> NotCorrected(RunSummary whole)
    {
        if (whole.Count(ForwardMessages.NotCorrected) is > 0 and var missing)
        {
            yield return $"Of {Quantity.Count(whole.Count(ForwardMessages.Received))} messages whose clock offset was "
                + $"to follow {Quantity.Count(missing)} are not in the forward series: it did not come in time.";
        }
    }
}
