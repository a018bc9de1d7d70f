using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Lab.SelfTest;

internal static class MessageChecks
{
    public const string Forward = "forward";
    public const string Back = "back";

    // A histogram of three significant digits tells a value up to half a thousandth wrong.
    private const double HistogramError = 0.001;

    // Medians by the reported and the planted offset: at most E apart, and at most so much and what the machine adds.
    public static IEnumerable<Finding> Medians(Observation seen, long atMostNs)
    {
        atMostNs += MachineNoise.Of(seen);
        return [Median(seen, Forward, TrueForward, atMostNs), Median(seen, Back, TrueBack, atMostNs)];
    }

    /// <summary>Nothing is left out: what was measured one way, and what could not be.</summary>
    public static Finding NothingDropped(Observation seen)
    {
        var reported = (seen.Series(Forward)?.Count ?? 0) + seen.Pair.Uncorrected + seen.Pair.ImpossibleStamps;
        return new Finding(
            "forward, all accounted for",
            Quantity.Count(seen.Messages.Count),
            Quantity.Count(reported),
            reported == seen.Messages.Count && reported > 0);
    }

    public static IEnumerable<Finding> Counts(Observation seen, long lost, long duplicated, long reordered)
    {
        yield return Exactly("lost", lost, seen.Summary.Count(Counted.Lost));
        yield return Exactly("duplicated", duplicated, seen.Summary.Count(Counted.Duplicated));
        yield return Exactly("reordered", reordered, seen.Summary.Count(Counted.Reordered));
    }

    public static Finding Exactly(string what, long planted, long? reported) =>
        new(what, Quantity.Count(planted), Amount.Count(reported), reported == planted);

    public static Finding Word(string what, string planted, string? reported, bool holds) =>
        new(what, planted, reported ?? Quantity.None, holds);

    public static IEnumerable<Finding> Judgement(Observation seen, OneWayHeadline headline, params OneWayGrade[] grades)
    {
        var grade = seen.Pair.Grade;
        yield return Word(
            "grade", string.Join(" or ", grades), grade?.ToString(), grade is { } known && grades.Contains(known));
        yield return Word("headline", NameOf(headline), NameOf(seen.Pair.Headline), seen.Pair.Headline == headline);
    }

    /// <summary>The mean of a direction beside what the link really gave, within E and what the machine adds.</summary>
    public static Finding MeanIs(Observation seen, string series, double truthNs, long slackNs)
    {
        var reported = seen.Series(series);
        var error = reported is { Mean: { } mean } ? Math.Abs(mean - truthNs) : double.NaN;
        return new Finding(
            $"{series}, mean, within E, {Amount.Of(slackNs)}",
            Amount.Of(truthNs),
            reported?.Mean is { } known ? $"{Amount.Of(known)} ± {Amount.Of(reported.ErrorNs)}" : Quantity.None,
            error <= (reported?.ErrorNs ?? 0) + slackNs);
    }

    public static long TrueForward(Observation seen, StampedMessage message) =>
        seen.Clocks.ProducerAtConsumer(message.Received) - message.Sent;

    public static long TrueBack(Observation seen, StampedMessage message) =>
        message.Returned - seen.Clocks.ProducerAtConsumer(message.Echoed);

    /// <summary>The mean over all messages; NaN, with which nothing agrees, where there is none.</summary>
    public static double Mean(Observation seen, Func<StampedMessage, long> valueOf) =>
        seen.Messages.Count == 0 ? double.NaN : seen.Messages.Average(message => (double)valueOf(message));

    private static Finding Median(
        Observation seen, string name, Func<Observation, StampedMessage, long> truthOf, long atMostNs)
    {
        var truths = seen.Messages.Select(message => truthOf(seen, message)).Order().ToArray();
        var series = seen.Series(name);
        var reported = series?.Percentiles.FirstOrDefault(row => row.Percentile == 50)?.Value;
        if (truths.Length == 0 || reported is not { } median)
            return new Finding($"{name}, p50", Quantity.None, Quantity.None, false);
        var truth = truths[(truths.Length - 1) / 2];
        var most = Math.Min(series!.ErrorNs, atMostNs) + (HistogramError * Math.Abs(truth));
        return new Finding(
            $"{name}, p50, within {Amount.Of(most)}",
            Amount.Of(truth),
            Amount.Of(median),
            Math.Abs(median - truth) <= most);
    }

    private static string NameOf(OneWayHeadline headline) =>
        headline == OneWayHeadline.OneWay ? "one way" : "round trip";
}

/// <summary>What the machine itself added to messages, by their true times: how sharp a result can be.</summary>
internal static class MachineNoise
{
    private const long TenthOfSecondNs = 100_000_000;

    // By how much the quickest message of a tenth of a second was slower than the quickest of all, in nanoseconds: for
    // nine tenths of a second in ten at most so much. What a world plants for longer than a tenth of its run is in it,
    // too. 0 where no message was echoed.
    public static long Of(Observation seen)
    {
        long[] quickest =
        [
            .. seen.Messages.GroupBy(message => message.Sent / TenthOfSecondNs)
                .Select(tenth => tenth.Min(message =>
                    MessageChecks.TrueForward(seen, message) + MessageChecks.TrueBack(seen, message)))
                .Order(),
        ];
        return quickest.Length == 0 ? 0 : quickest[quickest.Length * 9 / 10] - quickest[0];
    }
}
