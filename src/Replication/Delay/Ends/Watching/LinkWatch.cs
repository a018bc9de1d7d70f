using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Delay.Ends.Watching;

/// <summary>Everything that is looked at beside the keys while both ends are measured from here.</summary>
internal sealed class LinkWatch : IDisposable
{
    private readonly List<EndWatcher> _ends = [];
    private readonly OffsetLag? _lag;
    private readonly WaitProbe? _wait;
    private bool _isDisposed;

    /// <summary>Begins, as the options say.</summary>
    public LinkWatch(
        ResolvedTarget source, ResolvedTarget destination, DelayOptions options, ulong session, SessionEvents events)
    {
        if (options.WatchInterval > TimeSpan.Zero)
        {
            _ends.Add(new EndWatcher("source", source, options.WatchInterval, events));
            _ends.Add(new EndWatcher("destination", destination, options.WatchInterval, events));
            _lag = new OffsetLag(source, destination, options.WatchInterval);
        }

        if (options.WaitInterval > TimeSpan.Zero)
        {
            _wait = new WaitProbe(
                source, FormattableString.Invariant($"{options.Prefix}:{session:x16}:wait"), options.Expiry,
                options.WaitInterval);
        }

        Series = _wait is null ? [] : [new CollectedSeries(DelaySeriesNames.Wait, _wait.Took)];
    }

    /// <summary>What WAIT took; nothing where it is not asked.</summary>
    public IReadOnlyList<CollectedSeries> Series { get; }

    /// <summary>The lag in bytes; null where it is not known.</summary>
    public LagBytes? Lag => _lag?.Result;

    /// <summary>What to keep in mind.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            if (_wait?.Refusal is { } refusal)
                yield return $"WAIT was refused, so there is no bound by it: {refusal}";
            if (_wait is { Unacknowledged: > 0 })
                yield return $"{_wait.Unacknowledged} times no replica acknowledged a key within a second (WAIT).";
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _wait?.Dispose();
        _lag?.Dispose();
        _ends.ForEach(end => end.Dispose());
    }
}
