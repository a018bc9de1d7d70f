using RedisLatency.Metrics.Clocks.Offsets;
using RedisLatency.Metrics.Clocks.Rates;

namespace RedisLatency.Hosting.Peers.Asking;

/// <summary>
/// The probes that are sent to one peer beside what is measured, and what it says of its clock with each answer. One
/// thread feeds.
/// </summary>
public sealed class PairProbes(ProbeExchange exchange) : IDisposable
{
    private readonly HashSet<string> _routes = [];
    private ExchangedProbe? _first;
    private long _statusAtNs;

    /// <summary>What the peer said last of its clock; null before its first answer.</summary>
    public ClockStatus? Status { get; private set; }

    /// <summary>Is told of every answer as it is fed, and whether it came from host to host; null for nobody.</summary>
    public Action<ClockProbe, bool>? Heard { get; init; }

    /// <summary>What became of the probes.</summary>
    public ProbeExchangeCounts Counts => exchange.Counts;

    /// <summary>The ways by which answers came.</summary>
    public IReadOnlyCollection<string> Routes => _routes;

    /// <summary>What keeps, or kept, answers from coming; null where nothing does.</summary>
    public string? Problem => exchange.Problem;

    /// <summary>Hands what was answered since the last time to a tracker, in which this host is the producer.</summary>
    public void Feed(OffsetTracker tracker)
    {
        while (exchange.TryTake(out var probe))
        {
            Hear(probe, tracker);
            Heard?.Invoke(probe.Probe, exchange.Route.IsUdp);
            if (_first is { } first && probe.IsSecond && first.Pair == probe.Pair)
            {
                tracker.Add(new ProbePair(first.Probe, probe.Probe));
                _first = null;
                continue;
            }

            Flush(tracker);
            if (probe.IsSecond)
                tracker.Add(probe.Probe);
            else
                _first = probe;
        }
    }

    /// <summary>Asks no more, and hands over the rest.</summary>
    public void Stop(OffsetTracker tracker)
    {
        exchange.Stop();
        Feed(tracker);
        Flush(tracker);
    }

    /// <inheritdoc/>
    public void Dispose() => exchange.Dispose();

    private void Flush(OffsetTracker tracker)
    {
        if (_first is { } alone)
            tracker.Add(alone.Probe);
        _first = null;
    }

    private void Hear(in ExchangedProbe probe, OffsetTracker tracker)
    {
        _routes.Add(exchange.Route.Name);
        var status = probe.PeerStatus;
        if (Status is { } before)
        {
            if (status.SampledAtNs == before.SampledAtNs)
                return;
            if (status.SuspendedNs > before.SuspendedNs)
                tracker.AnnounceSuspension(_statusAtNs, probe.Probe.ReturnedNs);
        }

        tracker.SetRate(ClockSide.Consumer, probe.Probe.ReturnedNs, status.RatePpm);
        Status = status;
        _statusAtNs = probe.Probe.SentNs;
    }
}
