using RedisLatency.Hosting.Live;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Clocks;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Producer.OneWay;

/// <summary>The clock of one consumer against ours, and its messages' times. One thread, not a measuring one.</summary>
internal sealed class PairClock : IDisposable
{
    private readonly List<MessageStamps> _batch = [];

    public PairClock(
        PairIdentity identity, PairClaims claims, OffsetAssumptions assumptions, PairProbes? probes, string? spillPath)
    {
        (Identity, Claims, Assumptions) = (identity, claims, assumptions);
        Peer = new PeerClock(new OffsetTracker(assumptions), claims.AreOneClock, probes);
        Correction = new OneWayCorrection(new OneWayOptions
        {
            ForwardFloorNs = assumptions.ForwardFloorNs,
            BackFloorNs = assumptions.BackFloorNs,
            SpillPath = spillPath,
        });
    }

    public PairIdentity Identity { get; }

    public PairClaims Claims { get; }

    public OffsetAssumptions Assumptions { get; }

    public PeerClock Peer { get; }

    public OneWayCorrection Correction { get; }

    public OffsetHistory History { get; } = new();

    public ProvisionalPair Provisional { get; } = new();

    /// <summary>Why there are no probes although they were asked for; null where there is no reason.</summary>
    public string? ProbeProblem { get; init; }

    public long Echoes { get; private set; }

    public void Add(in MessageStamps stamps)
    {
        _batch.Add(stamps);
        Correction.Add(stamps);
    }

    /// <summary>Uses the messages since the last time, and the answers to probes.</summary>
    public void Feed()
    {
        var batch = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_batch);
        Echoes += batch.Length;
        EchoThinning.Feed(batch, Peer.Tracker);
        Peer.Feed();
        Provisional.Add(batch);
        _batch.Clear();
    }

    /// <summary>
    /// Whether the two hosts, as far as they say it, have not said yet how their clocks ran at an instant.
    /// </summary>
    public bool MayHear(long atNs) => !Claims.AreOneClock && Peer.MayHear(atNs);

    /// <summary>Uses what the hosts say of their clocks; about once a second.</summary>
    public void Hear(in ClockStatus own, IReadOnlyList<UtcClaim> claims)
    {
        Peer.Hear(own);
        if (Claims.ClaimUtc(own, claims, Peer.Probes?.Status) is { } utc)
            Peer.Tracker.Add(utc);
        if (Peer.Tracker.Provisional is { } window)
            Provisional.Follow(window);
    }

    public void Dispose()
    {
        Peer.Dispose();
        Correction.Dispose();
    }
}

/// <summary>What both ways took by the offset that is known at the moment: for the live view alone.</summary>
internal sealed class ProvisionalPair
{
    private readonly SignedLatencyHistogram _forward = SignedLatencyHistogram.ForLatency();
    private readonly SignedLatencyHistogram _back = SignedLatencyHistogram.ForLatency();
    private OffsetWindow? _window;

    public ProvisionalOneWay? Medians => _window is null || _forward.TotalCount == 0
        ? null
        : new ProvisionalOneWay(MedianOf(_forward), MedianOf(_back), _window.ErrorNs);

    public void Follow(OffsetWindow window) => _window = window;

    public void Add(ReadOnlySpan<MessageStamps> batch)
    {
        if (_window is not { } window)
            return;
        foreach (ref readonly var stamps in batch)
        {
            var offset = window.OffsetAt(stamps.Sent);
            _forward.Record(stamps.Received - stamps.Sent - offset);
            _back.Record(stamps.Returned - stamps.Echoed + offset);
        }
    }

    private static long MedianOf(SignedLatencyHistogram values)
    {
        var negatives = values.Negatives.TotalCount;
        var rank = (values.TotalCount + 1) / 2;
        return rank > negatives
            ? values.Values.ValueAtPercentile(100.0 * (rank - negatives) / values.Values.TotalCount)
            : -values.Negatives.ValueAtPercentile(100.0 * (negatives - rank + 1) / negatives);
    }
}

// Chooses which echoed messages are clock probes: of each run in a batch the quickest there and the quickest back,
// which loses no tightness but what the clocks drift within a run.
internal static class EchoThinning
{
    // 2,500 a second of batches of a twentieth of one. A tracker holds back 32,768 at most, and has to hold back what
    // came in the ten seconds for which it waits for a host's word of a suspension.
    private const int MostOfABatch = 125;

    /// <summary>The batch is of one consumer, in the order in which messages returned.</summary>
    public static void Feed(ReadOnlySpan<MessageStamps> batch, OffsetTracker tracker)
    {
        var run = ((2 * batch.Length) + MostOfABatch - 1) / MostOfABatch;
        if (batch.Length <= MostOfABatch)
            run = 1;
        for (var from = 0; from < batch.Length; from += run)
            FeedRun(batch.Slice(from, Math.Min(run, batch.Length - from)), tracker);
    }

    private static void FeedRun(ReadOnlySpan<MessageStamps> run, OffsetTracker tracker)
    {
        int there = 0, back = 0;
        for (var i = 1; i < run.Length; i++)
        {
            if (run[i].Received - run[i].Sent < run[there].Received - run[there].Sent)
                there = i;
            if (run[i].Returned - run[i].Echoed < run[back].Returned - run[back].Echoed)
                back = i;
        }

        tracker.Add(ProbeOf(run[Math.Min(there, back)]));
        if (there != back)
            tracker.Add(ProbeOf(run[Math.Max(there, back)]));
    }

    private static ClockProbe ProbeOf(in MessageStamps stamps) =>
        new(stamps.Sent, stamps.Received, stamps.Echoed, stamps.Returned);
}
