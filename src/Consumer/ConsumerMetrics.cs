using RedisLatency.Consumer.Serving;
using RedisLatency.Metrics.Sequences;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Consumer;

/// <summary>What a Consumer measures and counts. A share is of the messages that came or were lost.</summary>
internal static class ConsumerMetrics
{
    private static readonly IReadOnlyList<KeyValuePair<string, object?>> Conventions =
        [new("messaging.system", "redis"), new("messaging.operation.name", "echo")];

    public static readonly Metric Residence = new(
        "residence", MetricKind.Durations, "From when a message came until it was sent back.")
    {
        Column = LiveColumn.Latency,
        Instrument = "messaging.process.duration",
        Labels = Conventions,
    };

    public static readonly Metric Forward = OneWay("forward", "From when a message was sent until it came.");

    public static readonly Metric ForwardFromIntended = OneWay(
        "forward-intended", "From when a message was due until it came.");

    private static readonly Metric Taken = Metric.Counter(
        "taken", "Messages taken, of any kind: warm-up and plain counts too.") with
    {
        Column = LiveColumn.Sent,
        Instrument = "messaging.client.consumed.messages",
        Labels = Conventions,
    };

    private static readonly Metric Echoed = Counted.Echoed.As(
        "Messages sent back, of any kind.", LiveColumn.Returned);

    private static readonly Metric Kept = Counted.Kept.As("Messages received and, as requested, not sent back.");
    private static readonly Metric Received = Counted.Received.As("Measured messages that came, each once.");
    private static readonly Metric Lost = Counted.Lost.As("Measured messages that never came.");
    private static readonly Metric Duplicated = Counted.Duplicated.As("Messages that had come before.");
    private static readonly Metric Reordered = Counted.Reordered.As("Messages that came after a later one.");
    private static readonly Metric Foreign = Counted.Foreign.As("What is neither a frame nor a count.");
    private static readonly Metric Corrupted = Counted.Corrupted.As("Damaged messages.");
    private static readonly Metric Refused = Counted.Refused.As("Echoes that the server refused.");
    private static readonly Metric ConnectionsLost = Counted.ConnectionsLost.As("Connections lost.");

    private static readonly IReadOnlyList<Metric> All =
    [
        Residence, Metric.Hiccups, Forward, ForwardFromIntended, Received, Echoed, Lost, Duplicated, Reordered, Foreign,
        Corrupted, Taken, Kept, Refused, ConnectionsLost, ForwardMessages.Received, ForwardMessages.NotCorrected,
    ];

    public static string? Problem(Threshold threshold) => threshold.Validate(All);

    public static MetricSet Of(EchoSession session, string target)
    {
        var set = new MetricSet(labels: new KeyValuePair<string, object?>("target", target));
        var echoes = session.Echoes;
        set.Add(new MetricSeries(Residence, [.. echoes.Select(echo => echo.Residence)]));
        Add(Taken, () => ServedTotals.Of(echoes).Taken);
        Add(Echoed, () => ServedTotals.Of(echoes).Echoed);
        Add(Kept, () => ServedTotals.Of(echoes).Kept);
        Add(Received, () => Sum(counts => counts.Received + counts.BeyondSent));
        Add(Lost, () => Sum(counts => counts.Lost));
        Add(Duplicated, () => Sum(counts => counts.Duplicated));
        Add(Reordered, () => Sum(counts => counts.Reordered));
        Add(Foreign, () => ServedTotals.Of(echoes).Foreign);
        Add(Corrupted, () => ServedTotals.Of(echoes).Corrupted + Sum(counts => counts.Refused));
        Add(Refused, () => session.Refused);
        Add(ConnectionsLost, () => ServedTotals.Of(echoes).ConnectionsLost);
        return set;

        void Add(Metric metric, Func<double?> read)
        {
            set.Add(metric, read);
            set.AddReading(metric, threshold => Read(threshold, read() is { } value
                ? threshold.Unit == ThresholdUnit.Share ? value / Whole() : value
                : null));
        }

        double Whole() => Sum(counts => counts.Received + counts.BeyondSent + counts.Lost);

        // Of a stream whose end did not come, more may be lost: of that nothing is known.
        ThresholdReading? Read(Threshold threshold, double? value)
        {
            var unended = session.UnendedStreams;
            if (value is not { } known || unended == 0)
                return value is { } sure ? new ThresholdReading(sure) : null;
            var because = NoEnd(unended);
            return threshold.Metric == Lost.Name
                    ? new ThresholdReading(known) { Missing = unended, Because = because }
                : threshold.Unit == ThresholdUnit.Share
                    ? new ThresholdReading(known) { Error = known, Because = because }
                : new ThresholdReading(known);
        }

        double Sum(Func<SequenceCounts, long> count) => echoes.SelectMany(echo => echo.Streams)
            .SaturatedSum(stream => count(session.IsOver ? stream.Count() : stream.CountSoFar()));
    }

    /// <summary>Adds the forward series, which is complete at the end; null where no producer told an offset.</summary>
    public static void AddForward(
        MetricSet set, ServedForward? forward, IReadOnlyList<RecordedMetric> counts, long unended)
    {
        set.AddReading(ForwardMessages.Received, threshold => Count(ForwardMessages.Received, threshold));
        set.AddReading(ForwardMessages.NotCorrected, threshold => Count(ForwardMessages.NotCorrected, threshold));
        foreach (var metric in (Metric[])[Forward, ForwardFromIntended])
        {
            set.AddReading(metric, threshold =>
            {
                var statistic = threshold.SeriesStatistic;
                var reading = ThresholdReading.Of(
                    forward?.Series.FirstOrDefault(series => series.Name == metric.Name), statistic);
                var isMeasured = reading.HasEnoughSamples && statistic != ThresholdStatistic.Count;
                if (isMeasured && forward is { IsUnproven: true })
                    reading = reading with { Error = double.PositiveInfinity };
                return unended == 0 || !reading.HasEnoughSamples
                    || statistic == ThresholdStatistic.Count || statistic == ThresholdStatistic.Min
                    ? reading
                    : reading with { Missing = Math.Max(reading.Missing, unended), Because = NoEnd(unended) };
            });
        }

        ThresholdReading? Count(Metric metric, Threshold threshold) => counts.Value(metric) is { } value
            ? new ThresholdReading(
                threshold.Unit == ThresholdUnit.Share ? value / counts.Value(ForwardMessages.Received)!.Value : value)
            : null;
    }

    private static string NoEnd(long unended) =>
        $"how many messages were lost is not known, because the end of {ServedProducers.Streams(unended)} did not come";

    private static Metric OneWay(string name, string help) =>
        new(name, MetricKind.Durations, help) { IsSummary = true };
}
