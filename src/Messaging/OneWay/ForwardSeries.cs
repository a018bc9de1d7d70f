using System.Collections.Frozen;
using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// A consumer's own forward series, from the stamps that it took itself and the offset that each producer tells it.
/// Once a second <see cref="Take()"/> on the reporter's thread.
/// </summary>
/// <param name="options">How many producers, and where their messages wait.</param>
/// <param name="feeds">What the echoing threads hand over, one each.</param>
public sealed class ForwardSeries(ForwardOptions options, IReadOnlyList<ForwardFeed> feeds) : IDisposable
{
    // Those that are complete are kept for their figures.
    private const int MostComplete = 8;

    private readonly MessageStamps[] _stamps = new MessageStamps[1 << 10];
    private readonly List<OffsetNotice> _notices = [];
    private readonly OffsetNotice[] _noticeBuffer = new OffsetNotice[64];
    private readonly List<ProducerForward> _producers = [];
    private ProducerForward? _last;

    /// <summary>What became final with the last <see cref="Take()"/>, of all producers.</summary>
    public OneWayDirection Interval { get; } = new();

    /// <summary>All intervals so far.</summary>
    public OneWayDirection Total { get; } = new(hasBlocks: true);

    /// <summary>The producers at work, and the latest that were.</summary>
    public IReadOnlyList<ProducerForward> Producers => _producers;

    /// <summary>Messages of more producers than can be served.</summary>
    public long Unserved { get; private set; }

    /// <summary>Messages that came when their producer had told all, or was given up.</summary>
    public long Expired { get; private set; }

    /// <summary>Messages that the reporter did not take in time.</summary>
    public long Overflowed => feeds.Sum(feed => feed.Overflowed);

    /// <summary>Takes what came since the last time, and corrects what can be.</summary>
    public void Take() => Take(MonotonicClock.NowNs());

    /// <inheritdoc/>
    public void Dispose() => _producers.ForEach(producer => producer.Dispose());

    internal void Take(long nowNs)
    {
        // The notices first: the messages before the last notice are then in their rings, and taken below.
        TakeNotices();
        foreach (var feed in feeds)
            TakeStamps(feed.Stamps, nowNs);
        foreach (var notice in _notices)
            Apply(notice, nowNs);

        Interval.Reset();
        var isAnyComplete = false;
        foreach (var producer in _producers)
        {
            producer.Correct(Interval);
            var isOver = producer.HasSentLast || nowNs - producer.LastHeardNs > options.SilenceLimit.InNanoseconds;
            if (producer.IsComplete || !isOver)
                continue;
            producer.Complete();
            isAnyComplete = true;
        }

        Total.Add(Interval, TimeSpan.FromSeconds(1));
        if (isAnyComplete)
            Publish();
    }

    private void TakeNotices()
    {
        _notices.Clear();
        foreach (var feed in feeds)
        {
            while (feed.Notices.Take(_noticeBuffer) is > 0 and var count)
                _notices.AddRange(_noticeBuffer.AsSpan(0, count));
        }
    }

    private void TakeStamps(StampRing ring, long nowNs)
    {
        while (ring.Take(_stamps) is > 0 and var count)
        {
            foreach (ref readonly var stamps in _stamps.AsSpan(0, count))
            {
                if (ProducerOf(stamps.Peer, nowNs) is { } producer)
                    producer.Add(stamps);
                else if (Find(stamps.Peer) is null)
                    Unserved++;
                else
                    Expired++;
            }
        }
    }

    private void Apply(in OffsetNotice notice, long nowNs)
    {
        if (ProducerOf(notice.Producer, nowNs) is not { } producer)
            return;
        if (notice.Window is { } window)
            producer.Add(window);
        else
            producer.HasSentLast = true;
    }

    private ProducerForward? ProducerOf(ulong producer, long nowNs)
    {
        if (_last?.Producer != producer)
            _last = Find(producer) ?? Add(producer);
        if (_last is { } found)
            found.LastHeardNs = nowNs;
        return _last is { IsComplete: true } ? null : _last;
    }

    private ProducerForward? Find(ulong producer) => _producers.Find(known => known.Producer == producer);

    private ProducerForward? Add(ulong producer)
    {
        if (_producers.Count(known => !known.IsComplete) >= options.MostProducers)
            return null;
        var name = string.Create(CultureInfo.InvariantCulture, $"one-way-{producer:x16}.pending");
        var added = new ProducerForward(producer, new OneWayOptions
        {
            HasBack = false,
            MostPending = options.MostPending,
            SpillPath = options.SpillFolder is { } folder ? Path.Combine(folder, name) : null,
        });
        _producers.Add(added);
        return added;
    }

    private void Publish()
    {
        var complete = _producers.Where(producer => producer.IsComplete).ToList();
        _last = null;
        foreach (var oldest in complete.SkipLast(MostComplete))
        {
            _producers.Remove(oldest);
            oldest.Dispose();
        }

        var figures = _producers.Where(producer => producer.IsComplete)
            .ToFrozenDictionary(producer => producer.Producer, producer => producer.Figures);
        foreach (var feed in feeds)
            feed.Publish(figures);
    }
}

/// <summary>How a consumer makes its own forward series.</summary>
public sealed record ForwardOptions
{
    /// <summary>How many producers are served at the same time; the messages of more are counted alone.</summary>
    /// <value>The default is 16: each takes 5 MB, and 64 bytes a message that waits.</value>
    public int MostProducers { get; init; } = 16;

    /// <summary>How many messages of a producer wait in memory.</summary>
    public int MostPending { get; init; } = PendingStamps.DefaultMostInMemory / 4;

    /// <summary>
    /// The folder for what waits beyond that, as <c>one-way-PRODUCER.pending</c>; null where there is no place.
    /// </summary>
    public string? SpillFolder { get; init; }

    /// <summary>After so long without a word a producer is given up.</summary>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromMinutes(1);
}

/// <summary>One producer's messages, as a consumer measures them by itself.</summary>
public sealed class ProducerForward : IDisposable
{
    private readonly OneWayCorrection _correction;

    internal ProducerForward(ulong producer, OneWayOptions options)
    {
        Producer = producer;
        _correction = new OneWayCorrection(options);
    }

    /// <summary>The producing process.</summary>
    public ulong Producer { get; }

    /// <summary>Messages that came, each once.</summary>
    public long Received { get; private set; }

    /// <summary>What they took so far.</summary>
    public OneWayDirection Measured => _correction.Total.Forward;

    /// <summary>How many could not be corrected: no window was told for their time, or they were not kept.</summary>
    public long NotCorrected => _correction.NotCorrected + _correction.Impossible;

    /// <summary>Why messages could not be kept; null where all could.</summary>
    public string? Failure => _correction.Failure;

    /// <summary>Windows that it told of which E is not proven: what is corrected by them is not valid.</summary>
    public long UnprovenWindows { get; private set; }

    /// <summary>Whether it says that its clock is a synthetic one.</summary>
    public bool IsSynthetic { get; private set; }

    /// <summary>Whether the producer has told all, or was given up.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Its figures so far.</summary>
    public ForwardFigures Figures => new(
        Received, Measured.Count, Measured.Negatives, Measured.MeanNs, Measured.MeanFromIntendedNs, Measured.MinNs,
        Measured.MaxNs, Measured.WorstErrorNs, Measured.NegativesBeyondError);

    internal long LastHeardNs { get; set; }

    internal bool HasSentLast { get; set; }

    /// <inheritdoc/>
    public void Dispose() => _correction.Dispose();

    internal void Add(in MessageStamps stamps)
    {
        Received++;
        _correction.Add(stamps);
    }

    internal void Add(in PublishedWindow window)
    {
        IsSynthetic |= window.IsSynthetic;
        UnprovenWindows += window.IsProven ? 0 : 1;
        _correction.Add(window.ToWindow());
    }

    internal void Correct(OneWayDirection into)
    {
        while (_correction.TryCorrect(out var interval))
            into.Add(interval.Measured.Forward, TimeSpan.FromNanoseconds(interval.LengthNs));
    }

    internal void Complete()
    {
        _correction.Complete();
        IsComplete = true;
    }
}
