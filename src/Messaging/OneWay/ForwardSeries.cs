using System.Collections.Frozen;
using System.Globalization;
using RedisLatency.Messaging.Stamps;
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
            var isOver = producer.HasToldAll || nowNs - producer.LastHeardNs > options.SilenceLimit.InNanoseconds;
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
                else
                    Unserved++;
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
            producer.HasToldAll = true;
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
