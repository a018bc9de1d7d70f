using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Producer.OneWay;

/// <summary>Makes the record of one-way latency to a consumer.</summary>
internal static class PairResult
{
    private const string EchoLane = "echo";

    // overflowed: messages whose stamps found no room; impossible: echoes whose stamps no clock gave.
    public static OneWayPair Of(
        PairClock pair,
        ForwardFigures? figures,
        bool hasSchedule,
        IReadOnlyList<double> percentiles,
        long overflowed,
        long impossible,
        long due)
    {
        var total = pair.Correction.Total;
        var hasMessages = total.Count > 0;
        total.CountMissing(due);
        return PairGrading.Grade(new OneWayPair
        {
            Consumer = pair.Identity.Name,
            Region = pair.Identity.Region,
            ConsumerId = pair.Identity.HexadecimalId,
            ClockMode = pair.History.Mode,
            IsSynthetic = MonotonicClock.IsSynthetic || pair.Identity.IsSynthetic,
            Reasons = pair.Correction.Failure is { } failure ? [$"Messages could not be kept: {failure}."] : [],
            Offset = pair.History.Describe(pair.Peer.Tracker.Totals.Steps),
            Probes = ProbesOf(pair),
            Claims = pair.Claims.Describe(pair.History),
            Assumptions = PairAssumptions.Describe(pair.Peer.Tracker),
            Series = hasMessages ? SeriesOf(total, pair, hasSchedule, percentiles)
                : figures is { Corrected: > 0 } told ? SeriesOf(told, pair, due, hasSchedule)
                : [],
            Check = hasMessages && total.Back is { } back
                ? new MeanCheck(total.Forward.MeanNs, back.MeanNs, total.MeanNetworkNs)
                : null,
            // Of messages that did not come back nobody knows how either way would have changed the means.
            Asymmetry = hasMessages && total is { Forward.Missing: 0, Back.Missing: 0 }
                ? new PathAsymmetry(
                    total.Forward.MeanNs - total.Back.MeanNs,
                    2 * Math.Max(ErrorOf(total.Forward, pair), ErrorOf(total.Back, pair)),
                    total.MeanNetworkNs / 2)
                : null,
            ConsumerSeries = figures is { } own ? FiguresOf(own) : null,
            Uncorrected = pair.Correction.NotCorrected + overflowed,
            ImpossibleStamps = impossible + pair.Correction.Impossible,
        }, pair.Peer.Tracker.HasDisplacedClaims ? pair.Peer.Tracker.UnseenStepNs : null);
    }

    // What was measured on the word of a claim that is refuted is as wrong as the probes allow.
    // A round trip that floors do not allow bounds nothing, and refutes them all the same.
    private static long? Least(long? one, long? other) => one is null || other < one ? other : one;

    private static long ErrorOf(OneWayDirection direction, PairClock pair) => pair.History.IsRefuted
        ? Math.Max(direction.WorstErrorNs, pair.History.UnrefutedNs)
        : direction.WorstErrorNs;

    private static ProbeCounts ProbesOf(PairClock pair)
    {
        var totals = pair.Peer.Tracker.Totals;
        var counts = pair.Peer.Probes?.Counts;
        return new ProbeCounts
        {
            Lanes =
            [
                .. pair.Echoes > 0 ? [EchoLane] : Array.Empty<string>(),
                .. pair.Peer.Probes?.Routes ?? [],
            ],
            Echoes = pair.Echoes,
            Sent = counts?.Sent ?? 0,
            Answered = counts?.Answered ?? 0,
            Refused = counts is null ? 0 : counts.Foreign + counts.Unauthenticated + counts.Unasked,
            AcceptedShare = totals.Pairs > 0
                ? (double)Math.Min(totals.AcceptedForward, totals.AcceptedBack) / totals.Pairs
                : null,
            Impossible = totals.Impossible + (counts?.Impossible ?? 0),
            Contradicting = totals.Contradicting,
            MinNetworkNs = Least(pair.History.MinNetworkNs, pair.Peer.Tracker.MinRoundTripNs),
            Problem = pair.Peer.Probes?.Problem ?? pair.ProbeProblem,
        };
    }

    private static List<OneWaySeries> SeriesOf(
        OneWayMeasurement total, PairClock pair, bool hasSchedule, IReadOnlyList<double> percentiles)
    {
        var forward = total.Forward;
        var back = total.Back!;
        var hasForwardFloor = pair.Assumptions.ForwardFloorNs > 0;
        var hasBackFloor = pair.Assumptions.BackFloorNs > 0;
        List<OneWaySeries> all =
        [
            Whole(OneWayMetrics.Forward.Name, forward, hasForwardFloor),
            Whole(OneWayMetrics.Back.Name, back, hasBackFloor),
        ];
        if (hasSchedule)
        {
            all.Insert(0, FromIntended(OneWayMetrics.ForwardFromIntended.Name, forward));
            all.Insert(2, FromIntended(OneWayMetrics.BackFromIntended.Name, back));
        }

        return all;

        OneWaySeries Whole(string name, OneWayDirection direction, bool hasFloor) =>
            Series(name, direction, direction.FromSent, direction.SentBlocks) with
            {
                Min = direction.MinNs,
                Max = direction.Missing > 0 ? null : direction.MaxNs,
                Mean = direction.Missing > 0 ? null : direction.MeanNs,
                NegativesBeyondError = direction.NegativesBeyondError,
                BelowFloor = hasFloor ? direction.BelowFloorBeyondError : null,
                Variation = VariationOf(name, direction.Variation),
            };

        OneWaySeries FromIntended(string name, OneWayDirection direction) =>
            Series(name, direction, direction.FromIntended, direction.IntendedBlocks) with
            { Mean = direction.Missing > 0 ? null : direction.MeanFromIntendedNs };

        OneWaySeries Series(
            string name, OneWayDirection direction, SignedLatencyHistogram values, SampleBlocks? blocks) =>
            OneWaySeries.Of(name, values, ErrorOf(direction, pair), blocks, percentiles);
    }

    private static LatencySeries VariationOf(string name, LatencyHistogram variation) =>
        LatencySeries.Of(name, PercentileTable.Of(variation));

    // Without an echo the consumer alone has the distribution; these are its own words.
    private static List<OneWaySeries> SeriesOf(in ForwardFigures told, PairClock pair, long due, bool hasSchedule)
    {
        var missing = Math.Max(0, due - told.Corrected);
        List<OneWaySeries> all =
        [
            new()
            {
                Name = OneWayMetrics.Forward.Name,
                Count = told.Corrected,
                ErrorNs = pair.History.IsRefuted ? Math.Max(told.ErrorNs, pair.History.UnrefutedNs) : told.ErrorNs,
                Missing = missing,
                Min = told.MinNs,
                Max = missing > 0 ? null : told.MaxNs,
                Mean = missing > 0 ? null : told.MeanNs,
                Negatives = told.Negatives,
                NegativesBeyondError = told.NegativesBeyondError,
            },
        ];
        if (hasSchedule)
        {
            all.Insert(0, new OneWaySeries
            {
                Name = OneWayMetrics.ForwardFromIntended.Name,
                Count = told.Corrected,
                ErrorNs = pair.History.IsRefuted ? Math.Max(told.ErrorNs, pair.History.UnrefutedNs) : told.ErrorNs,
                Missing = missing,
                Mean = missing > 0 ? null : told.MeanFromIntendedNs,
            });
        }

        return all;
    }

    private static ConsumerFigures FiguresOf(in ForwardFigures own) => new()
    {
        Received = own.Received,
        Count = own.Corrected,
        MeanNs = own.Corrected > 0 ? own.MeanNs : null,
        MinNs = own.Corrected > 0 ? own.MinNs : null,
        MaxNs = own.Corrected > 0 ? own.MaxNs : null,
        Negatives = own.Negatives,
    };
}
