using RedisLatency.Hosting.Results;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Consumer.Serving;

/// <summary>The Consumer's own forward series: filled on the reporter's thread, read when that has ended.</summary>
internal sealed class ForwardRecording(IReadOnlyList<ForwardFeed> feeds, string? folder) : IDisposable
{
    // Completes the tag of what is below zero.

    // As many as rows of streams are kept.
    private const int MostRemembered = 1_000;

    private readonly ForwardSeries _series = new(new ForwardOptions { SpillFolder = folder }, feeds);
    private readonly Queue<(ulong Producer, ServedForwardProducer Share)> _complete = new();
    private readonly HashSet<ulong> _noted = [];
    private long _receivedOfComplete;

    /// <summary>Whether any producer's clock was a synthetic one, so that the series says nothing.</summary>
    public bool IsSynthetic { get; private set; }

    /// <summary>What became final with the last <see cref="Take"/>.</summary>
    public OneWayDirection Interval => _series.Interval;

    public void Take()
    {
        _series.Take();
        // By index: the reporter allocates nothing.
        for (var i = 0; i < _series.Producers.Count; i++)
        {
            IsSynthetic |= _series.Producers[i].IsSynthetic;
            if (_series.Producers[i] is { IsComplete: true } producer && _noted.Add(producer.Producer))
                Note(producer);
        }
    }

    public void Log(IntervalLogFile log, DateTimeOffset start, TimeSpan length)
    {
        if (Interval.Count == 0)
            return;
        Log(log, ConsumerMetrics.Forward.Name, start, length, Interval.FromSent);
        Log(log, ConsumerMetrics.ForwardFromIntended.Name, start, length, Interval.FromIntended);
    }

    /// <summary>What became of the messages, as of the last <see cref="Record"/>.</summary>
    public IReadOnlyList<RecordedMetric> Rows { get; private set; } = [];

    /// <summary>The record; null where no producer told an offset.</summary>
    public ServedForward? Record(Func<ulong, string> nameOf, Func<ulong, long> lostOf)
    {
        var working = _series.Producers.Where(producer => !producer.IsComplete).ToList();
        var lost = _series.Unserved + _series.Expired + _series.Overflowed;
        var received = _receivedOfComplete + working.Sum(producer => producer.Received) + lost;
        if (received == 0)
            return null;
        var total = _series.Total;
        total.CountMissing(_complete.Select(known => known.Producer)
            .Concat(working.Select(producer => producer.Producer)).Distinct().Select(lostOf).Append(received)
            .SaturatedSum(count => count));
        Rows =
        [
            RecordedMetric.Of(ForwardMessages.Received, received),
            RecordedMetric.Of(ForwardMessages.NotCorrected, received - total.Count),
            RecordedMetric.Of(ForwardMessages.Unserved, _series.Unserved),
            RecordedMetric.Of(ForwardMessages.Overflowed, _series.Overflowed),
        ];
        return new ServedForward
        {
            Series = SeriesOf(total),
            Producers =
            [
                .. _complete.Select(known => known.Share with { Name = nameOf(known.Producer) }),
                .. working.Select(producer => ShareOf(producer) with { Name = nameOf(producer.Producer) }),
            ],
        };
    }

    public void Dispose() => _series.Dispose();

    private void Note(ProducerForward producer)
    {
        _receivedOfComplete += producer.Received;
        _complete.Enqueue((producer.Producer, ShareOf(producer)));
        if (_complete.Count > MostRemembered)
            _noted.Remove(_complete.Dequeue().Producer);
    }

    private static void Log(
        IntervalLogFile log, string tag, DateTimeOffset start, TimeSpan length, SignedLatencyHistogram histogram)
    {
        log.Write(tag, start, length, histogram.Values);
        if (histogram.Negatives.TotalCount > 0)
            log.Write(Measured.NegativesOf(tag), start, length, histogram.Negatives);
    }

    private static IReadOnlyList<OneWaySeries> SeriesOf(OneWayDirection total) => total.Count == 0
        ? []
        :
        [
            OneWaySeries.Of(
                ConsumerMetrics.ForwardFromIntended.Name, total.FromIntended, total.WorstErrorNs,
                total.IntendedBlocks) with { Mean = total.Missing > 0 ? null : total.MeanFromIntendedNs },
            OneWaySeries.Of(ConsumerMetrics.Forward.Name, total.FromSent, total.WorstErrorNs, total.SentBlocks) with
            {
                Count = total.Count,
                Min = total.MinNs,
                Max = total.Missing > 0 ? null : total.MaxNs,
                Mean = total.Missing > 0 ? null : total.MeanNs,
                Negatives = total.Negatives,
                NegativesBeyondError = total.NegativesBeyondError,
                Variation = LatencySeries.Of(ConsumerMetrics.Forward.Name, PercentileTable.Of(total.Variation)),
            },
        ];

    private static ServedForwardProducer ShareOf(ProducerForward producer)
    {
        var measured = producer.Measured;
        var share = new ServedForwardProducer
        {
            Name = string.Empty,
            Received = producer.Received,
            Corrected = measured.Count,
            Failure = producer.Failure,
            UnprovenWindows = producer.UnprovenWindows,
        };
        return measured.Count == 0
            ? share
            : share with
            {
                ErrorNs = measured.WorstErrorNs,
                MeanNs = measured.MeanNs,
                MinNs = measured.MinNs,
                MaxNs = measured.MaxNs,
                Negatives = measured.Negatives,
                NegativesBeyondError = measured.NegativesBeyondError,
            };
    }
}
