using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Rendezvous;

namespace RedisLatency.Peers.Probing;

/// <summary>
/// The probes that are sent to one peer beside what is measured, and what it says of its clock with each answer. One
/// thread feeds.
/// </summary>
public sealed class PairProbes(ProbeExchange exchange) : IDisposable
{
    // Ten pairs a second go through Redis, more over UDP.
    private const long LongestSilenceNs = 500_000_000;

    private readonly HashSet<string> _routes = [];
    private long _returnedNs = long.MinValue / 2;
    private ExchangedProbe? _first;

    /// <summary>What the peer said last of its clock; null before its first answer.</summary>
    public ClockStatus? Status { get; private set; }

    /// <summary>Whether the peer still answers.</summary>
    public bool IsAnswered => MonotonicClock.NowNs() - _returnedNs < LongestSilenceNs;

    /// <summary>Is told of every answer as it is fed, and whether it came from host to host; null for nobody.</summary>
    public Action<ClockProbe, bool>? Heard { get; set; }

    /// <summary>What became of the probes.</summary>
    public ProbeExchangeCounts Counts => exchange.Counts;

    /// <summary>The ways by which answers came.</summary>
    public IReadOnlyCollection<string> Routes => _routes;

    /// <summary>What keeps, or kept, answers from coming; null where nothing does.</summary>
    public string? Problem => exchange.Problem;

    /// <summary>Begins to ask a peer as it offers.</summary>
    /// <param name="offer">What the peer announced.</param>
    /// <param name="run">The number of the peer's run.</param>
    /// <param name="peer">How it signs.</param>
    /// <param name="routes">The ways to it, the best one first.</param>
    /// <param name="rate">Pairs of probes per second; null for as many as is usual on each way.</param>
    /// <returns>Null where its key cannot be read.</returns>
    public static PairProbes? Ask(
        ProbeOffer offer, ulong run, ulong peer, IReadOnlyList<ProbeRoute> routes, double? rate = null)
    {
        if (ProbeKey.Parse(offer.Key) is not { } key)
            return null;
        var options = new ProbeExchangeOptions { Run = run, Answerer = peer, Key = key };
        if (rate is { } given)
            options = options with { UdpPairsPerSecond = given, RedisPairsPerSecond = given };
        return new PairProbes(new ProbeExchange(options, routes));
    }

    /// <summary>Hands over what was answered since the last time.</summary>
    /// <param name="tracker">Takes the probes; this host is the producer in it.</param>
    /// <param name="statuses">Takes what the peer says of its clock.</param>
    public void Feed(OffsetTracker tracker, ClockStatusFeed statuses)
    {
        while (exchange.TryTake(out var probe))
        {
            Hear(probe, statuses);
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
    public void Stop(OffsetTracker tracker, ClockStatusFeed statuses)
    {
        exchange.Stop();
        Feed(tracker, statuses);
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

    private void Hear(in ExchangedProbe probe, ClockStatusFeed statuses)
    {
        _routes.Add(exchange.Route.Name);
        _returnedNs = probe.Probe.ReturnedNs;
        statuses.HearPeer(probe.Probe, probe.PeerStatus);
        Status = statuses.Peer;
    }
}
