using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.OneWay;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer;

internal static class ProducerMetrics
{
    public static readonly Metric RoundTripFromIntended = new(
        "rtt-intended", MetricKind.Durations, "From when a message was due until its echo was back.")
    { Column = LiveColumn.LatencyFromIntended };

    public static readonly Metric RoundTrip = new(
        "rtt", MetricKind.Durations, "From when a message was sent until its echo was back.")
    { Column = LiveColumn.Latency };

    public static readonly Metric Lateness = new(
        Measured.Lateness, MetricKind.Durations,
        "How late messages were sent, after they were due and had room in flight.")
    { Column = LiveColumn.Lateness };

    private static readonly Metric NetworkFromIntended = new(
        "network-intended", MetricKind.Durations, "The round trip from when a message was due, less the residence.");

    private static readonly Metric Network = new("network", MetricKind.Durations, "The round trip less the residence.");

    private static readonly Metric Residence = new(
        "residence", MetricKind.Durations, "How long the consumer kept a message before it sent it back.");

    private static readonly Metric Asked = Counted.Asked.As("Messages due by the schedule.");
    private static readonly Metric Sent = Counted.Sent.As("Messages sent.", LiveColumn.Sent) with
    {
        Instrument = "messaging.client.sent.messages",
        Labels = [new("messaging.system", "redis"), new("messaging.operation.name", "publish")],
    };

    private static readonly Metric Unsent = Counted.Unsent.As(
        "Messages due while there was no connection or no room in flight.", LiveColumn.Unsent);

    private static readonly Metric Owed = Counted.Owed.As("Echoes expected: one for each message and consumer.");
    private static readonly Metric Received = Counted.Received.As("Messages that the consumers say they received.");
    private static readonly Metric Returned = Counted.Returned.As("Echoes that came in time.", LiveColumn.Returned);
    private static readonly Metric Lost = Counted.Lost.As("Messages sent whose echo never came.", LiveColumn.Lost);
    private static readonly Metric Late = Counted.Late.As(
        "Echoes that came after the receive deadline.", LiveColumn.Late);

    private static readonly Metric Duplicated = Counted.Duplicated.As(
        "Echoes that had come before.", LiveColumn.Duplicated);

    private static readonly Metric Reordered = Counted.Reordered.As(
        "Echoes that came after that of a later message.", LiveColumn.Reordered);

    private static readonly Metric Wrong = Counted.Wrong.As(
        "Answers with another value than was sent.", LiveColumn.Errors);

    private static readonly Metric Corrupted = Counted.Corrupted.As("Damaged messages.", LiveColumn.Errors);
    private static readonly Metric Foreign = Counted.Foreign.As("Messages of others on the reply channel.");
    private static readonly Metric LimitHits = Counted.InFlightLimitHits.As(
        "Messages that had to wait because too many were in flight.");

    private static readonly Metric ConnectionsLost = Counted.ConnectionsLost.As("Connections lost.");
    private static readonly Metric InFlight = Metric.InFlight with { Help = "Messages under way." };

    public static IReadOnlyList<Metric> All { get; } =
    [
        RoundTrip, RoundTripFromIntended, Network, NetworkFromIntended, Residence, Lateness, Metric.Hiccups,
        .. OneWayMetrics.All,
        Asked, Sent, Unsent, Owed, Received, Returned, Lost, Late, Duplicated, Reordered, Wrong, Corrupted, Foreign,
        LimitHits, ConnectionsLost, InFlight, Metric.Rate,
    ];

    public static string? Problem(Threshold threshold) => threshold.Validate(All);

    public static MetricSet Of(TargetSession session, ProducerPlan plan, string mark)
    {
        var set = new MetricSet(mark, new KeyValuePair<string, object?>("target", session.Name));
        var (senders, counted) = (session.Senders, session.Counted);
        var missing = 0L; // Of all that comes back the same: counted with the first series of an interval.
        foreach (var (metric, recorderOf) in SeriesOf(plan))
        {
            var isFirst = set.Series.Count == 0;
            set.Add(new MetricSeries(metric, [.. session.Recorded.Select(recorderOf)])
            {
                MissingSoFar = metric == Lateness
                    ? () => (UnsentSoFar(), 0)
                    : () => (
                        isFirst ? missing = UnsentSoFar() + LostSoFar(counted) : missing, WaitedFor(metric, counted)),
            });
        }

        AddSum(Asked, counts => counts.Asked, WholeAsked);
        AddSum(Sent, counts => counts.Sent, WholeAsked);
        AddSum(Unsent, counts => counts.Unsent, WholeAsked);
        AddSum(Foreign, counts => counts.Foreign, WholeAsked);
        AddSum(ConnectionsLost, counts => counts.ConnectionsLost, WholeAsked);
        AddSum(InFlight, counts => counts.InFlight, WholeAsked);
        set.Add(Metric.Rate, () => plan.IsOpenLoop
            ? Sum(counted, counts => counts.Sent) * 1e9 / session.RatedNs / plan.Rate
            : double.NaN);
        if (!plan.IsOpenLoop)
        {
            set.AddReading(
                Metric.Rate,
                _ => new ThresholdReading(double.NaN) { Because = "a closed loop has no asked rate" });
        }

        foreach (var metric in OneWayMetrics.All)
            set.AddReading(metric, threshold => OneWayMetrics.Read(threshold, session.OneWay?.Pairs ?? []));
        if (plan.IsNoEcho)
        {
            set.Add(Received, () => session.Arrived?.Sum(), WholeAsked);
            set.Add(
                Lost,
                () => session.Arrived?.Sum(count => Math.Max(0, Sum(counted, counts => counts.Sent) - count)),
                WholeAsked);
            return set;
        }

        AddSum(Wrong, counts => counts.Wrong, WholeAsked);
        AddSum(Corrupted, counts => counts.Corrupted, WholeAsked);
        AddSum(LimitHits, counts => counts.LimitHits, WholeAsked);
        AddSum(Returned, counts => counts.Returned, WholeOwed);
        AddSum(Late, counts => counts.Late, WholeOwed);
        AddSum(Duplicated, counts => counts.Duplicated, WholeOwed);
        AddSum(Reordered, counts => counts.Reordered, WholeOwed);
        set.Add(Owed, () => session.IsOver ? senders.Sum(sender => sender.Owed) : null, WholeAsked);
        set.Add(Lost, () => session.IsOver ? senders.Sum(LostOf) : LostSoFar(counted), WholeOwed);
        return set;

        long UnsentSoFar() => Sum(counted, counts => counts.Unsent);

        void AddSum(Metric metric, Func<StreamCounts, long> count, Func<double?> whole) =>
            set.Add(metric, () => Sum(counted, count), whole);

        double? WholeAsked() => Sum(counted, counts => counts.Asked);

        // What comes back is a share of the echoes that were owed, which several consumers make more than messages.
        double? WholeOwed() => senders.Sum(sender => sender.Owed);
    }

    /// <summary>A count of all streams together. Allocates nothing.</summary>
    public static long Sum(IReadOnlyList<StreamCounts> streams, Func<StreamCounts, long> count)
    {
        var sum = 0L;
        for (var i = 0; i < streams.Count; i++)
            sum += count(streams[i]);
        return sum;
    }

    private static IEnumerable<(Metric Metric, Func<RoundTripSeries, LatencyRecorder> RecorderOf)> SeriesOf(
        ProducerPlan plan)
    {
        var (hasEcho, hasFrames) = (!plan.IsNoEcho, !plan.IsNoEcho && !plan.IsCounter);
        if (hasEcho && plan.IsOpenLoop)
            yield return (RoundTripFromIntended, series => series.RoundTripFromIntended);
        if (hasEcho)
            yield return (RoundTrip, series => series.RoundTrip);
        if (hasFrames && plan.IsOpenLoop)
            yield return (NetworkFromIntended, series => series.NetworkFromIntended);
        if (hasFrames)
        {
            yield return (Network, series => series.Network);
            yield return (Residence, series => series.Residence);
        }

        if (plan.IsOpenLoop)
            yield return (Lateness, series => series.Lateness);
    }

    // With several consumers echoes are answered, so that what is lost then shows late.
    private static long LostSoFar(IReadOnlyList<StreamCounts> streams)
    {
        var lost = 0L;
        for (var i = 0; i < streams.Count; i++)
        {
            // Read in this order: a message on its way counts twice rather than as lost.
            var counts = streams[i];
            var sent = counts.Sent;
            lost += sent - counts.InFlight - counts.Returned - counts.Late;
        }

        return Math.Max(0, lost);
    }

    // What part of it a consumer kept is not known of what never came.
    private static long WaitedFor(Metric metric, IReadOnlyList<StreamCounts> streams)
    {
        var longest = 0L;
        for (var i = 0; i < streams.Count; i++)
        {
            longest = Math.Max(
                longest,
                metric == RoundTrip ? streams[i].LongestFromSent
                    : metric == RoundTripFromIntended ? streams[i].LongestFromIntended
                    : 0);
        }

        return longest;
    }

    // A wrong answer in the closed loop is the answer of a message, which is then not lost.
    private static long LostOf(StreamSender sender)
    {
        var missing = sender.Ledgers.Sum(ledger => ledger.Count(sender.Counts.Sent).Lost);
        return sender.IsClosedLoop ? missing - Math.Min(missing, sender.Counts.Wrong) : missing;
    }
}
