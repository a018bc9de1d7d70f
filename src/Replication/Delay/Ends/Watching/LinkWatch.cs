using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Ends.Places;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Delay.Ends.Watching;

/// <summary>Everything that is looked at beside the keys while both ends are measured from here.</summary>
internal sealed class LinkWatch : IDisposable
{
    private readonly List<EndWatcher> _ends = [];
    private readonly List<OffsetLag> _lags = [];
    private readonly List<WaitProbe> _waits = [];
    private bool _isDisposed;

    /// <summary>Begins, as the options say.</summary>
    public LinkWatch(IReadOnlyList<KeyWay> ways, ILinkOptions options, ulong session, SessionEvents events)
    {
        if (options.WatchInterval > TimeSpan.Zero)
        {
            foreach (var place in DifferentServers(ways.Select(way => way.Source))
                .Concat(DifferentServers(ways.Select(way => way.Destination))))
            {
                _ends.Add(new EndWatcher(place, options.WatchInterval, events));
            }

            _lags.AddRange(ways.Select(way => new OffsetLag(way.Source, way.Destination, options.WatchInterval)));
        }

        if (options.WaitInterval > TimeSpan.Zero)
        {
            _waits.AddRange(ways.Select(way => new WaitProbe(
                way.Source, FormattableString.Invariant($"{way.Prefix}:{session:x16}:wait"), options.Expiry,
                options.WaitInterval)));
        }

        Series = _waits.Count == 0
            ? []
            : [new CollectedSeries(DelaySeriesNames.Wait, [.. _waits.Select(wait => wait.Took)])];
    }

    /// <summary>What WAIT took; nothing where it is not asked.</summary>
    public IReadOnlyList<CollectedSeries> Series { get; }

    /// <summary>The lag in bytes, of each stream; null where it is not known.</summary>
    public LagBytes? Lag
    {
        get
        {
            var known = _lags.Select(lag => lag.Result).OfType<LagBytes>().ToList();
            var samples = known.Sum(lag => lag.Samples);
            return samples == 0
                ? null
                : new LagBytes(samples, known.Sum(lag => lag.Mean * lag.Samples) / samples, known.Max(lag => lag.Most));
        }
    }

    /// <summary>What to keep in mind.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            if (_waits.Select(wait => wait.Refusal).FirstOrDefault(text => text is not null) is { } refusal)
                yield return $"WAIT was refused, so there is no bound by it: {refusal}";
            if (_waits.Sum(wait => wait.Unacknowledged) is var unacknowledged and > 0)
                yield return $"{unacknowledged} times no replica acknowledged a key within a second (WAIT).";
        }
    }

    /// <summary>The lag of one of the ways.</summary>
    public LagBytes? LagOf(int way) => _lags.Count == 0 ? null : _lags[way].Result;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _waits.ForEach(wait => wait.Dispose());
        _lags.ForEach(lag => lag.Dispose());
        _ends.ForEach(end => end.Dispose());
    }

    private static IEnumerable<IServerPlace> DifferentServers(IEnumerable<IServerPlace> places) =>
        places.DistinctBy(place => place.Target?.Name);
}
