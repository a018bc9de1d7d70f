using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Summaries;

public class SearchSectionTests
{
    private static readonly (double Rate, StepOutcome Outcome)[] Steps =
        [(800, StepOutcome.Held), (1_000, StepOutcome.Missed), (890, StepOutcome.Missed), (890, StepOutcome.Held)];

    [Theory]
    [InlineData(SearchEnd.Latency, StepOutcome.Missed,
        "lies between 890/s (held: why Held) and 900/s (missed: why Missed)")]
    [InlineData(SearchEnd.Unsure, StepOutcome.Unsure,
        "lies between 890/s (held: why Held) and 1,000/s (missed: why Missed); between them, 900/s (not sure: why Unsure)")]
    [InlineData(SearchEnd.Generator, StepOutcome.Generator,
        "is at least 890/s (held: why Held); beyond it, 900/s (this tool was the limit: why Generator)")]
    public void Sentence_SaysWhatHeld_WhatDidNot_AndHowSure(SearchEnd end, StepOutcome above, string expected) =>
        SearchSection.Sentence(Search(890, 900, end, [.. Steps, (900, above)]))
            .ShouldBe($"the highest rate under response.p99<1ms {expected}");

    [Theory]
    [InlineData(SearchEnd.Latency, StepOutcome.Missed, "no rate was held under response.p99<1ms, the lowest tried was "
        + "10/s (missed: why Missed)")]
    [InlineData(SearchEnd.Generator, StepOutcome.Generator, "no rate was held under response.p99<1ms, the lowest tried "
        + "was 10/s (this tool was the limit: why Generator)")]
    [InlineData(SearchEnd.Unfinished, StepOutcome.Missed, "the highest rate under response.p99<1ms was not found")]
    public void Sentence_WhereNothingHeld_SaysSo(SearchEnd end, StepOutcome outcome, string expected) =>
        SearchSection.Sentence(Search(null, 10, end, [(40, outcome), (10, outcome)])).ShouldBe(expected);

    [Fact]
    public void Table_HasOneRowForEachRate_WithTheTriesThatDecided()
    {
        using var writer = new StringWriter();

        SectionText.Write(writer, SearchSection.Of(Search(890, 1_000, SearchEnd.Latency, Steps)));

        var lines = writer.ToString().Split('\n').Where(line => line.Contains("/s   "))
            .Skip(1).Select(line => line.Trim());
        lines.Select(line => line[..line.IndexOf('/')] + line[line.LastIndexOf("  ", StringComparison.Ordinal)..].Trim())
            .ShouldBe(["800held", "890held 1/2", "1,000missed"]);
    }

    private static RateSearchResult Search(
        double? held, double notHeld, SearchEnd end, (double Rate, StepOutcome Outcome)[] steps) => new()
        {
            Limit = "response.p99<1ms",
            Percentile = 99,
            LimitNs = 1e6,
            Held = held,
            NotHeld = notHeld,
            End = end,
            Steps =
            [
                .. steps.Select(step => new SearchStep
                {
                    Phase = "a step",
                    Asked = step.Rate,
                    Achieved = step.Rate,
                    MedianNs = 100_000,
                    ValueNs = 500_000,
                    Outcome = step.Outcome,
                    Because = $"why {step.Outcome}",
                }),
            ],
        };
}
