using RedisLatency.Messaging.OneWay;
using RedisLatency.Messaging.Stamps;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Asking;

namespace RedisLatency.Producer.OneWay;

/// <summary>The clock of one consumer against ours, and its messages' times. One thread, not a measuring one.</summary>
internal sealed class PairClock : IDisposable
{
    private readonly List<MessageStamps> _batch = [];
    private readonly long _readCostNs;
    private readonly ClockStatusFeed _statuses;

    public PairClock(
        PairIdentity identity, PairClaims claims, OffsetAssumptions assumptions, long readCostNs, string? spillPath)
    {
        (Identity, Claims, Assumptions, _readCostNs) = (identity, claims, assumptions, readCostNs);
        Tracker = new OffsetTracker(assumptions);
        _statuses = new ClockStatusFeed(Tracker);
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

    public OffsetTracker Tracker { get; }

    public OneWayCorrection Correction { get; }

    public OffsetHistory History { get; } = new();

    public ProvisionalPair Provisional { get; } = new();

    /// <summary>The probes beside the messages; null where there are none.</summary>
    public PairProbes? Probes { get; init; }

    /// <summary>Why there are none although they were asked for; null where there is no reason.</summary>
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
        EchoThinning.Feed(batch, Tracker);
        Probes?.Feed(Tracker, _statuses);
        Provisional.Add(batch);
        _batch.Clear();
    }

    /// <summary>Asks for probes no more, and uses the rest.</summary>
    public void StopProbes() => Probes?.Stop(Tracker, _statuses);

    /// <summary>Uses what the hosts say of their clocks; about once a second.</summary>
    public void Hear(in ClockStatus own, IReadOnlyList<UtcClaim> claims)
    {
        _statuses.HearOwn(own);
        if (Claims.ClaimSameClock(own.SampledAtNs, _readCostNs) is { } same)
            Tracker.Add(same);
        if (Claims.ClaimUtc(own, claims, Probes?.Status) is { } utc)
            Tracker.Add(utc);
        if (Tracker.Provisional is { } window)
            Provisional.Follow(window);
    }

    public void Dispose()
    {
        Probes?.Dispose();
        Correction.Dispose();
    }
}

/// <summary>Whose clock is compared with ours.</summary>
internal sealed record PairIdentity(ulong Id, string Name, ClockIdentity? Clock, bool IsSynthetic)
{
    public string HexadecimalId => Id.ToString("x16", System.Globalization.CultureInfo.InvariantCulture);
}
