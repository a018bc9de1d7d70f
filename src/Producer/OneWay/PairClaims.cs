using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Clocks;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Producer.OneWay;

/// <summary>Claims of a pair's clocks, that they are one or near UTC; probes may refute what is accepted.</summary>
internal sealed class PairClaims
{
    private const string SwitchedOff = "switched off by --claims none";

    private readonly ClockIdentity _producer;
    private readonly ClockIdentity? _consumer;
    private readonly OffsetAssumptions _assumptions;
    private readonly string _hosts;
    private readonly string? _whyNotSame;
    private IReadOnlyList<UtcClaim> _own = [];
    private OffsetClaim? _utc;
    private bool _hasPeerStatus;
    private ClockStatus? _producerBefore;

    public PairClaims(
        ClockIdentity producer, ClockIdentity? consumer, string consumerName, OffsetAssumptions assumptions)
    {
        (_producer, _consumer, _assumptions) = (producer, consumer, assumptions);
        _hosts = $"{producer.Host}, {consumer?.Host ?? consumerName}";
        _whyNotSame = WhyNotSame();
    }

    public bool AreOneClock => _whyNotSame is null;

    public OffsetClaim? ClaimUtc(in ClockStatus producer, IReadOnlyList<UtcClaim> own, in ClockStatus? consumer)
    {
        _own = own;
        _hasPeerStatus |= consumer is not null;
        var before = _producerBefore;
        _producerBefore = producer;
        if (!_assumptions.UsesClaims || consumer is not { } peer || before is not { } earlier
            || UtcMapping.Claim(earlier, producer, peer, _assumptions) is not { } claim)
        {
            return null;
        }

        return _utc = claim;
    }

    public IReadOnlyList<ClockClaim> Describe(OffsetHistory history) =>
    [
        new()
        {
            Name = PeerClock.SameClock,
            Source = _hosts,
            IsAccepted = AreOneClock,
            Reason = _whyNotSame ?? "one boot and one time namespace",
            ErrorNs = AreOneClock ? PeerClock.ReadCostNs : null,
            UnrefutedNs = AreOneClock ? history.UnrefutedNs : null,
            ContradictedWindows = history.ContradictedWindows(PeerClock.SameClock),
        },
        new()
        {
            Name = UtcMapping.Name,
            Source = _hosts,
            IsAccepted = _utc is not null,
            Reason = WhyUtc(),
            ErrorNs = _utc is { } claim ? (claim.HighNs - claim.LowNs) / 2 : null,
            UnrefutedNs = _utc is not null ? history.UnrefutedNs : null,
            ContradictedWindows = history.ContradictedWindows(UtcMapping.Name),
        },
    ];

    private string? WhyNotSame()
    {
        if (!_assumptions.UsesClaims)
            return SwitchedOff;
        if (_consumer is null)
            return "the consumer does not say which clock it reads";
        if (_producer.ClaimsSameClock(_consumer))
            return null;
        if (_producer.BootId is null || _consumer.BootId is null)
            return "a host does not name its boot";
        return _producer.BootId == _consumer.BootId ? "they are of two time namespaces" : "they are of two boots";
    }

    private string WhyUtc()
    {
        if (!_assumptions.UsesClaims)
            return SwitchedOff;
        var accepted = _own.Where(claim => claim.IsAccepted).MinBy(claim => claim.ErrorNs);
        if (_utc is not null && accepted is not null)
            return $"both hosts claim it, {_producer.Host} by {NameOf(accepted.Source)}";
        if (accepted is null)
        {
            var refusals = _own.Select(claim => $"{NameOf(claim.Source)}: {claim.Refusal}");
            return $"{_producer.Host} has no claim that can be used ({string.Join("; ", refusals)})";
        }

        return _hasPeerStatus
            ? $"{_consumer?.Host ?? "the consumer"} has no claim that can be used"
            : "the consumer says nothing of its clock: no probe of its own was answered";
    }

    private static string NameOf(UtcClaimSource source) => source.ToString().ToLowerInvariant();
}

/// <summary>What two hosts' claims of UTC say of the offset between their monotonic clocks.</summary>
internal static class UtcMapping
{
    public const string Name = "utc";

    // UTC = A + offset of A = B + offset of B, so θ = B − A is the difference of the two offsets, each as wrong as its
    // host says. The consumer spoke between two words of the producer's: what those differ by is what the producer's
    // offset may have moved meanwhile; where it spoke before both, as fast as clocks are assumed to drift.
    public static OffsetClaim? Claim(
        in ClockStatus before, in ClockStatus after, in ClockStatus consumer, OffsetAssumptions assumptions)
    {
        if (before.UtcErrorNs < 0 || after.UtcErrorNs < 0 || consumer.UtcErrorNs < 0)
            return null;
        var offset = after.UtcOffsetNs - consumer.UtcOffsetNs;
        var atNs = consumer.SampledAtNs - offset;
        var outsideNs = Math.Max(0, Math.Max(before.SampledAtNs - atNs, atNs - after.SampledAtNs));
        var drift = 1e-6 * 2 * (assumptions.OscillatorPpm + assumptions.UnsampledSlewPpm);
        var error = Math.Max(before.UtcErrorNs, after.UtcErrorNs) + consumer.UtcErrorNs
            + Math.Abs(after.UtcOffsetNs - before.UtcOffsetNs) + (long)Math.Ceiling(outsideNs * drift);
        return new OffsetClaim(Name, OffsetClaimKind.Utc, atNs, offset - error, offset + error);
    }
}
