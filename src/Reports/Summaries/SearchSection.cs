using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>The highest rate under a latency limit, how sure it is, and latency against rate.</summary>
internal static class SearchSection
{
    public static string Sentence(RateSearchResult search) => (search.Held, search.NotHeld) switch
    {
        (null, { } not) => $"no rate was held under {search.Limit}, not even {Quantity.Rate(not)}",
        (null, _) => $"the highest rate under {search.Limit} was not found",
        ({ } held, { } not) when search.End == SearchEnd.Latency =>
            $"the highest rate under {search.Limit} lies between {Quantity.Rate(held)}, which was held, and "
                + $"{Quantity.Rate(not)}, which was not",
        ({ } held, _) when search.End == SearchEnd.Generator =>
            $"{Quantity.Rate(held)} was held under {search.Limit}; beyond that this tool was the limit",
        ({ } held, _) => $"{Quantity.Rate(held)} was held under {search.Limit}; the search did not end",
    };

    public static void Write(TextWriter writer, RateSearchResult search, IReadOnlyList<RunSummary> phases)
    {
        writer.Heading("HIGHEST RATE");
        writer.Line(Sentence(search));
        if (Answer(search) is { ValueNs: { } value } answer)
        {
            writer.Line($"at {Quantity.Rate(answer.Asked)} {LatencyTable.NameOf(search.Percentile)} was "
                + $"{Quantity.Duration(value)}{IntervalOf(answer)}, measured once more for longer; each rate that was "
                + "not held missed twice");
        }

        writer.WriteLine();
        var percentile = LatencyTable.NameOf(search.Percentile);
        var table = new TextTable("asked/s", "achieved/s", "p50", percentile, "95 % interval", "limit");
        foreach (var step in search.Steps.OrderBy(step => step.Asked))
        {
            var series = phases.FirstOrDefault(phase => WorkloadResults.Of(phase).Phase == step.Phase) is { } phase
                ? Headline.SeriesOf(phase)
                : null;
            table.Add(
                Quantity.Rate(step.Asked), Quantity.Rate(step.Achieved ?? double.NaN),
                Quantity.Duration(series?.Percentiles.At(50)?.Value),
                Quantity.Duration(step.ValueNs), IntervalOf(step).Trim(' ', '(', ')'), WordOf(step.Outcome));
        }

        table.WriteTo(writer);
        foreach (var reason in search.Steps.Where(step => step.Outcome == StepOutcome.Generator)
            .Select(step => step.Because).OfType<string>().Distinct())
            writer.Line($"tool: {reason}");
    }

    // The last that was held at the answer's rate is the longer one.
    public static SearchStep? Answer(RateSearchResult search) => search.Held is { } held
        ? search.Steps.LastOrDefault(step => step.Outcome == StepOutcome.Held && Math.Abs(step.Asked - held) < 1)
        : null;

    private static string IntervalOf(SearchStep step) => step is { LowerNs: { } lower, UpperNs: { } upper }
        ? $" ({Quantity.Duration(lower)} to {Quantity.Duration(upper)})"
        : string.Empty;

    private static string WordOf(StepOutcome outcome) => outcome switch
    {
        StepOutcome.Held => "held",
        StepOutcome.Missed => "missed",
        StepOutcome.Unsure => "unsure",
        _ => "tool",
    };
}
