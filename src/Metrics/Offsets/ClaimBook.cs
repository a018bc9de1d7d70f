using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>What others claim of the offset, and whether the probes allow it.</summary>
internal sealed class ClaimBook(DriftBudget budget)
{
    private const int MostKept = 256;

    // Hosts speak every second.
    private const long LongestSilenceNs = 5_000_000_000;

    private readonly List<List<OffsetClaim>> _byName = [];
    private readonly HashSet<string> _refuted = [];

    public void Add(OffsetClaim claim)
    {
        var same = _byName.Find(claims => claims[0].Name == claim.Name);
        if (same is null)
            _byName.Add(same = []);
        var place = same.FindLastIndex(earlier => earlier.AtNs <= claim.AtNs) + 1;
        same.Insert(place, claim);
        if (same.Count > MostKept)
            same.RemoveAt(0);
    }

    /// <summary>
    /// What all words of UTC and of other hosts come to in a span; null where there is none. One clock is not displaced
    /// against itself.
    /// </summary>
    public OffsetEstimate? ClaimedAt(OffsetRegime regime, EstimatedSpan span, long baseNs)
    {
        OffsetEstimate? all = null;
        foreach (var sameName in _byName)
        {
            if (sameName[0].Kind != OffsetClaimKind.SameClock && Find(sameName, regime, span, baseNs) is var (_, bound))
                all = all?.Intersect(bound) ?? bound;
        }

        return all is { IsEmpty: true } ? null : all;
    }

    /// <summary>
    /// Judges the claims of one window, and narrows the estimate, which comes by the probes alone, where all agree. A
    /// claim of before a step says nothing after it.
    /// </summary>
    public IReadOnlyList<JudgedClaim> Judge(
        OffsetRegime regime, EstimatedSpan span, long baseNs, ref OffsetEstimate estimate)
    {
        var claims = new List<(OffsetClaim Claim, OffsetEstimate Bound)>(_byName.Count);
        foreach (var sameName in _byName)
        {
            if (Find(sameName, regime, span, baseNs) is { } found)
                claims.Add(found);
        }

        if (claims.Count == 0)
            return [];
        var probes = estimate;
        var all = claims.Aggregate(probes, (sum, claim) => sum.Intersect(claim.Bound));
        // One clock has one rate: probes that leave no room for that refute the claim as much as any that lie beyond
        // it.
        var isOneClock = claims.Exists(claim => claim.Claim.Kind == OffsetClaimKind.SameClock);
        var agreeing = all.IsEmpty || (isOneClock && !probes.AllowsOneRate)
            || claims.Exists(claim => _refuted.Contains(claim.Claim.Name))
            ? Falsetickers(probes, claims)
            : null;
        if (agreeing is null)
            estimate = isOneClock ? all.AtOneRate() : all.AtMeasuredRates(span);
        return [.. claims.Select((claim, place) => new JudgedClaim(claim.Claim.Name, claim.Claim.Kind,
            Nanoseconds.Below(claim.Bound.AtReference.Low, baseNs),
            Nanoseconds.Above(claim.Bound.AtReference.High, baseNs), agreeing is null || agreeing[place]))];
    }

    /// <summary>
    /// Which claims agree: those that the probes refute do not; where each alone could be true but not all together,
    /// those do that most of them agree with, if that is one place.
    /// </summary>
    private bool[] Falsetickers(OffsetEstimate probes, List<(OffsetClaim Claim, OffsetEstimate Bound)> claims)
    {
        var agrees = WhoAgree(probes, claims);

        // Whoever was wrong once is believed no more.
        for (var i = 0; i < agrees.Length; i++)
        {
            if (!agrees[i])
                _refuted.Add(claims[i].Claim.Name);
        }

        return agrees;
    }

    private bool[] WhoAgree(OffsetEstimate probes, List<(OffsetClaim Claim, OffsetEstimate Bound)> claims)
    {
        bool[] agrees = [.. claims.Select(claim => !probes.Intersect(claim.Bound).IsEmpty
            && !_refuted.Contains(claim.Claim.Name)
            && (claim.Claim.Kind != OffsetClaimKind.SameClock || probes.AllowsOneRate))];
        if (agrees.Contains(false))
            return agrees;
        var (segments, _) = IntervalIntersection.Find([.. claims.Select(claim =>
            (Nanoseconds.Below(claim.Bound.AtReference.Low, 0), Nanoseconds.Above(claim.Bound.AtReference.High, 0)))]);
        return [.. claims.Select(claim => segments.Count == 1
            && claim.Bound.AtReference.Low <= segments[0].High && claim.Bound.AtReference.High >= segments[0].Low)];
    }

    private (OffsetClaim, OffsetEstimate)? Find(
        List<OffsetClaim> claims, OffsetRegime regime, EstimatedSpan span, long baseNs)
    {
        if (At(span.ReferenceNs) is not { } reference || At(span.StartNs) is not { } start
            || At(span.EndNs) is not { } end)
        {
            return null;
        }

        return (reference.Nearest, new OffsetEstimate(start.Bound, reference.Bound, end.Bound, 0, 0, 0, 0));

        bool Counts(OffsetClaim claim) => claim.Kind == OffsetClaimKind.SameClock
            || ((claim.AtNs >= regime.StartNs || regime.Cause == OffsetBreak.Start) && claim.AtNs <= regime.EndNs);

        (OffsetClaim Nearest, OffsetInterval Bound)? At(long atNs)
        {
            var before = claims.FindLast(claim => claim.AtNs <= atNs && Counts(claim));
            var after = claims.Find(claim => claim.AtNs > atNs && Counts(claim));
            if (before is null || after is null)
                return (before ?? after) is { } only ? (only, AgeTo(only, atNs, baseNs)) : null;
            var (bound, later) = (AgeTo(before, atNs, baseNs), AgeTo(after, atNs, baseNs));
            var nearest = atNs - before.AtNs <= after.AtNs - atNs ? before : after;
            if (bound.Intersect(later) is not { IsEmpty: false } both)
                return (nearest, nearest == before ? bound : later);

            // Between two words the offset moved by what they differ, as far as anybody knows.
            var between = AgeTo(before, before.AtNs, baseNs).Unite(AgeTo(after, after.AtNs, baseNs));
            return (nearest, after.AtNs - before.AtNs <= LongestSilenceNs ? both.Intersect(between) : both);
        }
    }

    private OffsetInterval AgeTo(OffsetClaim claim, long atNs, long baseNs)
    {
        var interval = new OffsetInterval(
            Nanoseconds.From(claim.LowNs, baseNs), Nanoseconds.From(claim.HighNs, baseNs));
        if (claim.Kind == OffsetClaimKind.SameClock)
            return interval;
        var (fromNs, toNs) = claim.AtNs < atNs ? (claim.AtNs, atNs) : (atNs, claim.AtNs);
        return interval.Grow(budget.Between(fromNs, toNs) * ((double)toNs - fromNs));
    }
}

/// <summary>
/// Where most of several claimed intervals meet: Marzullo's algorithm (also RFC 5905, section 11.2.1). Intervals are
/// closed: two that touch in one point meet there.
/// </summary>
public static class IntervalIntersection
{
    /// <summary>Every segment that as many intervals cover as cover any, from low to high.</summary>
    /// <param name="intervals">Each as its low and high end.</param>
    /// <returns>The segments, and how many intervals cover each of them; none where no interval is given.</returns>
    /// <exception cref="ArgumentException">An interval ends before it starts.</exception>
    public static (IReadOnlyList<(long Low, long High)> Segments, int Covered) Find(
        IReadOnlyList<(long Low, long High)> intervals)
    {
        ArgumentNullException.ThrowIfNull(intervals);
        var edges = new (long At, int Change)[intervals.Count * 2];
        for (var i = 0; i < intervals.Count; i++)
        {
            if (intervals[i].Low > intervals[i].High)
                throw new ArgumentException($"Interval {i} ends before it starts.", nameof(intervals));
            edges[2 * i] = (intervals[i].Low, 1);
            edges[(2 * i) + 1] = (intervals[i].High, -1);
        }

        // Beginnings before ends, so that closed intervals which touch are seen to meet.
        Array.Sort(edges, static (x, y) => x.At != y.At ? x.At.CompareTo(y.At) : y.Change.CompareTo(x.Change));
        var segments = new List<(long, long)>();
        int covered = 0, most = 0;
        for (var i = 0; i < edges.Length; i++)
        {
            covered += edges[i].Change;
            if (edges[i].Change < 0 || covered < most)
                continue;
            if (covered > most)
                segments.Clear();
            most = covered;
            segments.Add((edges[i].At, edges[i + 1].At));
        }

        return (segments, most);
    }
}
