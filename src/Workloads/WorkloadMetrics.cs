using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads;

/// <summary>What a phase measures and counts: of all operations together, and the latencies of each.</summary>
internal static class WorkloadMetrics
{
    public static readonly Metric Response = new(
        Measured.Response, MetricKind.Durations, "From when an operation was due until its reply was there.")
    { Column = LiveColumn.LatencyFromIntended };

    public static readonly Metric Service = new(
        Measured.Service, MetricKind.Durations, "From when an operation was sent until its reply was there.")
    {
        Column = LiveColumn.Latency,
        Instrument = "db.client.operation.duration",
        Labels = [new("db.system.name", "redis")],
    };

    public static readonly Metric Lateness = new(
        Measured.Lateness, MetricKind.Durations, "How late operations were sent, after they were due.")
    { Column = LiveColumn.Lateness };

    private static readonly Metric Throughput = new("throughput", MetricKind.Gauge, "Operations completed per second.");

    private static readonly Count[] Counts =
    [
        new(Counted.Asked.As("Operations that were to be sent."), now => now.Asked),
        OfEach(Counted.Sent.As("Operations sent.", LiveColumn.Sent), counts => counts.Sent),
        new(
            Counted.Unsent.As("Operations due, but not sent before the end.", LiveColumn.Unsent),
            now => now.Load.Unsent),
        OfEach(
            Counted.Completed.As("Operations with a reply that is no error.", LiveColumn.Returned),
            counts => counts.Completed),
        new(
            Counted.WarmUpCompleted.As("Operations of the warm-up that were completed after it."),
            now => now.Load.WarmUpCompleted),
        OfEach(Counted.Hits.As("Values that were read and there."), counts => counts.Hits),
        OfEach(Counted.Misses.As("Values that were read and not there."), counts => counts.Misses),
        OfEach(Counted.Errors.As("Operations ended by an error.", LiveColumn.Errors), counts => counts.Errors),
        OfEach(Counted.TimedOut.As("Operations without a reply in time.", LiveColumn.Lost), counts => counts.TimedOut),
        OfEach(
            Counted.Lost.As("Operations in flight on a connection that was lost.", LiveColumn.Lost),
            counts => counts.Lost),
        OfEach(Counted.Retried.As("Operations sent again after an error."), counts => counts.Retried),
        OfEach(Counted.BytesSent.As("Bytes of requests."), counts => counts.BytesSent),
        OfEach(Counted.BytesReceived.As("Bytes of replies."), counts => counts.BytesReceived),
        OfEach(
            Counted.Mismatched.As("Values read that this workload did not write.", LiveColumn.Errors),
            counts => counts.Mismatched),
        new(
            Counted.ConnectionsLost.As("Connections lost, or given up after a time-out."),
            now => now.Load.ConnectionsLost),
        new(Counted.Reconnected.As("Lost connections opened again."), now => now.Load.Reconnected),
        new(Counted.Renewed.As("Connections opened again on purpose."), now => now.Load.Renewed),
        new(Counted.ReadsOfPrimary.As("Reads for replicas that went to a primary."), now => now.Load.ReadsOfPrimary),
        new(Counted.Contradictions.As("Replies to nothing that was asked."), now => now.Load.Contradictions),
        new(Metric.InFlight with { Help = "Operations that wait for their reply." }, now => now.InFlight),
    ];

    // The record alone has it.
    private static readonly Count Redirected = OfEach(Counted.Redirected, counts => counts.Redirected);

    private static readonly IReadOnlyList<Metric> All =
    [
        Service, Response, Lateness, Metric.Hiccups, .. Counts.Select(count => count.Metric), Throughput, Metric.Rate,
        Cost.Busy,
    ];

    /// <summary>What is wrong with a threshold, or null; asked before it is known which operations there are.</summary>
    public static string? Problem(Threshold threshold) => Measured.OperationOf(threshold.Metric) is null
        ? threshold.Validate(All)
        : threshold.Validate([new Metric(threshold.Metric, MetricKind.Durations)]);

    /// <summary>The same where only latencies may be named.</summary>
    public static string? SeriesProblem(Threshold threshold) => Measured.OperationOf(threshold.Metric) is null
        ? threshold.Validate([.. All.Where(metric => metric.Kind == MetricKind.Durations)])
        : Problem(threshold);

    public static string? Problem(Threshold threshold, IReadOnlyCollection<string> operations) =>
        Measured.OperationOf(threshold.Metric) is { } operation && !operations.Contains(operation)
            ? $"--threshold {threshold.Text}: there is no operation {operation} "
                + $"(known: {string.Join(", ", operations)})"
            : null;

    /// <summary>Of which there are latencies: operations, and the commands of those that have two.</summary>
    public static IReadOnlyCollection<string> NamesOf(OperationMix mix) =>
    [
        .. mix.Operations.Select(operation => operation.Name),
        .. mix.Operations.SelectMany(operation => operation.Command.Parts is { } parts
            ? new[] { $"{operation.Name}-{parts.First}", $"{operation.Name}-{parts.Second}" }
            : []),
    ];

    public static void AddSeries(MetricSet set, OperationMix mix, IReadOnlyList<WorkerCounts> workers, bool isOpenLoop)
    {
        var missing = new MissingOperations[mix.Operations.Count + 1];
        var services = Each(Service, worker => worker.Service);
        var responses = isOpenLoop ? Each(Response, worker => worker.Response) : [];
        if (isOpenLoop)
            set.Add(SumOf(Response, responses), isLogged: false);
        set.Add(SumOf(Service, services), isLogged: false);
        for (var i = 0; i < services.Count; i++)
        {
            if (isOpenLoop)
                set.Add(responses[i]);
            set.Add(services[i]);
            var place = i;
            AddParts(set, mix.Operations[i], i, workers, () => MissingOf(Service, place));
        }

        if (isOpenLoop)
        {
            set.Add(new MetricSeries(Lateness, [.. workers.Select(worker => worker.Lateness)])
            { MissingSoFar = () => (Missing(workers, 0).Unsent, 0) });
            return;
        }

        AddReadingsOfClosedLoop(set);

        MetricSeries SumOf(Metric metric, List<MetricSeries> parts) => new(metric, parts)
        { MissingSoFar = () => MissingOf(metric, null) };

        List<MetricSeries> Each(Metric all, Func<WorkerCounts, LatencyRecorder[]> recordersOf) =>
        [
            .. mix.Operations.Select((operation, index) => new MetricSeries(
                all with
                {
                    Name = Measured.OfOperation(operation.Name, all.Name),
                    Column = LiveColumn.None,
                    Labels =
                    [
                        .. all.Labels,
                        new("db.operation.name", operation.Command.Shapes[0].Name),
                        new("operation", operation.Name),
                    ],
                },
                [.. workers.Select(worker => recordersOf(worker)[index])])
            { MissingSoFar = () => MissingOf(all, index) }),
        ];

        // The same of response and service times, of which the former are asked for first.
        (long Count, long AtLeast) MissingOf(Metric metric, int? only)
        {
            ref var known = ref missing[only ?? mix.Operations.Count];
            if (metric == Response || !isOpenLoop)
                known = Missing(workers, mix.Operations.Count, only);
            return known.Of(metric);
        }
    }

    // A closed loop has no schedule: there the response time is the service time.
    private static void AddReadingsOfClosedLoop(MetricSet set)
    {
        set.AddReading(Lateness, _ => new ThresholdReading(double.NaN));
        foreach (var service in set.Series.ToList())
        {
            var name = service.Metric.Name[..^Service.Name.Length] + Response.Name;
            set.AddReading(service.Metric with { Name = name }, service.Total);
        }
    }

    /// <summary>How many latencies each operation has so far, in the order of the mix.</summary>
    public static IReadOnlyList<long> CompletedOf(MetricSet set, OperationMix mix) =>
    [
        .. mix.Operations
            .Select(operation => Measured.OfOperation(operation.Name, Service.Name))
            .Select(name => set.Series.First(series => series.Metric.Name == name).Total)
            .Select(total => total.TotalCount + total.AboveRange + total.BelowRange),
    ];

    /// <summary>
    /// What was measured in the period that ends now, with its numbers; see <see cref="MetricSet.OfPeriod"/>.
    /// </summary>
    public static MetricSet OfPeriod(MetricSet whole, EngineProgress progress, bool isOpenLoop, bool hasBytes)
    {
        var period = whole.OfPeriod();
        if (!isOpenLoop)
            AddReadingsOfClosedLoop(period);
        AddCounts(period, () => progress, isOpenLoop, hasBytes);
        return period;
    }

    // They are parts of what is measured, so telemetry has them not.
    private static void AddParts(
        MetricSet set,
        MixedOperation operation,
        int place,
        IReadOnlyList<WorkerCounts> workers,
        Func<(long Count, long AtLeast)> missing)
    {
        if (operation.Command.Parts is not { } parts)
            return;
        Add(parts.First, worker => worker.FirstParts);
        Add(parts.Second, worker => worker.SecondParts);

        void Add(string name, Func<WorkerCounts, LatencyRecorder?[]> recordersOf) => set.Add(new MetricSeries(
            new Metric(
                Measured.OfOperation($"{operation.Name}-{name}", Service.Name), MetricKind.Durations, Service.Help),
            [.. workers.Select(worker => recordersOf(worker)[place]!)])
        {
            // Either of the two may be what an operation that has not ended well waited for.
            MissingSoFar = missing,
        });
    }

    public static void AddCounts(MetricSet set, Func<EngineProgress> progress, bool isOpenLoop, bool hasBytes = true)
    {
        // A closed loop sends all that it asks for; a client library does not tell how many bytes.
        foreach (var count in Counts.Where(count => (isOpenLoop || count.Metric.Name != Counted.Unsent.Name)
            && (hasBytes || count.Metric.Unit is null)))
            set.Add(count.Metric, () => count.Of(progress()), () => progress().Asked);
    }

    /// <summary>The same of one operation, as the record has it.</summary>
    public static IEnumerable<RecordedMetric> RowsOf(OperationTotals operation, bool hasBytes)
    {
        foreach (var count in Counts.Append(Redirected).Where(count => hasBytes || count.Metric.Unit is null))
        {
            if (count.OfOperation is { } of)
                yield return RecordedMetric.Of(count.Metric, of(operation.Counts), operation.Name);
        }
    }

    public static void AddRates(MetricSet set, Func<double?> throughput, Func<double?> asked, Func<double?> busy)
    {
        set.Add(Throughput, throughput);
        set.Add(Metric.Rate, () => throughput() / asked() ?? double.NaN);
        set.AddReading(Metric.Rate, _ => asked() is { } whole
            ? new ThresholdReading(throughput() / whole ?? double.NaN)
            : new ThresholdReading(double.NaN) { Because = "a closed loop has no asked rate" });
        set.Add(Cost.Busy, busy);
    }

    // Asked for each second: by index, nothing is allocated. What was never sent was not drawn either: each operation
    // takes its part of that by how often it was sent.
    private static MissingOperations Missing(IReadOnlyList<WorkerCounts> workers, int operations, int? only = null)
    {
        var (own, all, unsent) = (default(OperationCounts), default(OperationCounts), 0L);
        for (var worker = 0; worker < workers.Count; worker++)
        {
            unsent += workers[worker].Load.Unsent;
            for (var operation = 0; operation < operations; operation++)
            {
                ref var counts = ref workers[worker].Operations[operation];
                all.Add(counts);
                if (operation == (only ?? operation))
                    own.Add(counts);
            }
        }

        return new MissingOperations(own, only is null
            ? unsent
            : (long)Math.Ceiling((double)unsent * own.Sent / Math.Max(1, all.Sent)));
    }

    private static Count OfEach(Metric metric, Func<OperationCounts, long> of) =>
        new(metric, now => of(now.Counts), of);

    private sealed record Count(
        Metric Metric, Func<EngineProgress, long> Of, Func<OperationCounts, long>? OfOperation = null);
}

/// <summary>Operations without a latency: those that ended without one, and those that were never sent.</summary>
internal readonly record struct MissingOperations(OperationCounts Ended, long Unsent)
{
    public (long Count, long AtLeast) Of(Metric metric) => (
        Ended.Errors + Ended.TimedOut + Ended.Lost + Unsent,
        metric == WorkloadMetrics.Response ? Ended.LongestFromIntended : Ended.LongestFromSent);
}
