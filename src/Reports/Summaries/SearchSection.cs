using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>The highest rate under a latency limit, how sure it is, and latency against rate.</summary>
internal static class SearchSection
{
    public static string Sentence(RateSearchResult search)
    {
        var held = Told(search.Answer, "held");
        var missed = Told(search.Missed, "missed");
        var above = Told(search.Above, search.End == SearchEnd.Generator ? "this tool was the limit" : "not sure");
        // What short steps held and longer ones did not is no answer.
        var none = search.Steps.Any(step => step.Outcome == StepOutcome.Held)
            ? "no rate was held for long"
            : "no rate was held";
        return (search.End, held, missed) switch
        {
            (SearchEnd.Unfinished, not null, _) => $"{held} under {search.Limit}; the search did not end",
            (SearchEnd.Unfinished, null, _) => $"the highest rate under {search.Limit} was not found",
            (SearchEnd.Latency, null, _) => $"{none} under {search.Limit}, the lowest tried was {missed}",
            (_, null, _) => $"{none} under {search.Limit}, the lowest tried was {above}",
            (SearchEnd.Latency, _, not null) =>
                $"the highest rate under {search.Limit} lies between {held} and {missed}",
            (SearchEnd.Unsure, _, not null) => $"the highest rate under {search.Limit} lies between {held} and "
                + $"{missed}; between them, {above}",
            _ => $"the highest rate under {search.Limit} is at least {held}; beyond it, {above}",
        };
    }

    public static Section Of(RateSearchResult search)
    {
        var section = new Section("HIGHEST RATE");
        var name = LatencyTable.NameOf(search.Percentile);
        if (search.Answer is { ValueNs: { } value } answer)
        {
            section.Add($"at {Quantity.Rate(answer.Asked)} {name} was {Quantity.Duration(value)} "
                + $"over {Quantity.Duration(answer.LengthNs)}");
        }

        var isMedian = search.Percentile.Equals(50);
        string[] names = isMedian ? [name] : ["p50", name];
        var table = new Table(["asked/s", "achieved/s", .. names, "95 % interval", "limit"]);
        foreach (var step in search.Deciding)
        {
            long?[] values = isMedian ? [step.ValueNs] : [step.MedianNs, step.ValueNs];
            table.Add(
            [
                Quantity.Rate(step.Asked), Quantity.Rate(step.Achieved ?? double.NaN),
                .. values.Select(one => Quantity.Duration(one)), IntervalOf(step), OutcomeOf(step, search),
            ]);
        }

        section.Add(table);
        if (search.Steps.Count > search.Deciding.Count())
            section.Add("2/3: so many of the steps at that rate; shown is the last");
        return section.Add(search.Steps.Where(step => step.Outcome == StepOutcome.Generator)
            .Select(step => step.Because).OfType<string>().Distinct().TakeLast(1).Select(reason => $"tool: {reason}"));
    }

    private static string? Told(SearchStep? step, string what) =>
        step is null ? null : $"{Quantity.Rate(step.Asked)} ({what}: {step.Because})";

    private static string IntervalOf(SearchStep step) => step is { LowerNs: { } lower, UpperNs: { } upper }
        ? $"{Quantity.Duration(lower)} to {Quantity.Duration(upper)}"
        : string.Empty;

    private static string OutcomeOf(SearchStep step, RateSearchResult search)
    {
        var tries = search.Steps.Where(other => other.Asked.Equals(step.Asked)).ToList();
        var word = step.Outcome switch
        {
            StepOutcome.Held => "held",
            StepOutcome.Missed => "missed",
            StepOutcome.Unsure => "unsure",
            _ => "tool",
        };
        return tries.Count == 1 ? word : $"{word} {tries.Count(other => other.Outcome == step.Outcome)}/{tries.Count}";
    }
}
