using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Tests;

public class WorkloadVerdictTests
{
    [Fact]
    public void RepliesOfTheWrongKind_AreAFault_AndErrorsAreNone()
    {
        WorkloadVerdict.WrongReplies("run", [Operation(("OOM", 7))]).ShouldBeNull();

        WorkloadVerdict.WrongReplies(
            "run", [Operation(("OOM", 7), ("(wrong-kind:null)", 2)), Operation(("(wrong-kind:integer)", 1_000))])
            .ShouldBe("run: 1,002 replies were of a kind that their command cannot have: they are not those of Redis to "
                + "what was asked.");
    }

    [Fact]
    public void Search_AfterWhoseAnswerLowerRatesMiss_IsNotValid()
    {
        var search = Search(SearchEnd.Latency, (900, StepOutcome.Held), (1_000, StepOutcome.Missed),
            (250, StepOutcome.Held), (500, StepOutcome.Missed));
        WorkloadVerdict.Faults(search).ShouldBeEmpty();

        WorkloadVerdict.Faults(search with { Steps = [.. search.Steps, Step(750, StepOutcome.Missed)] })
            .ShouldHaveSingleItem().ShouldContain("2 lower rates missed the limit after the answer");
    }

    [Fact]
    public void Search_ThatThisToolEnded_IsNotValid_AndSaysWhy() =>
        WorkloadVerdict.Faults(Search(
                SearchEnd.Generator, (900, StepOutcome.Held), (1_000, StepOutcome.Generator)))
            .ShouldHaveSingleItem().ShouldContain("the server may hold more than 900/s; why 1000");

    private static RateSearchResult Search(SearchEnd end, params (double Rate, StepOutcome Outcome)[] steps) => new()
    {
        Limit = "response.p99<1ms",
        Percentile = 99,
        LimitNs = 1e6,
        Held = 900,
        NotHeld = 1_000,
        End = end,
        Steps = [.. steps.Select(step => Step(step.Rate, step.Outcome))],
    };

    private static SearchStep Step(double rate, StepOutcome outcome) =>
        new() { Phase = "a step", Asked = rate, Outcome = outcome, Because = $"why {rate}" };

    private static OperationResult Operation(params (string Code, long Count)[] errors) => new()
    {
        Name = "get",
        Command = "GET __key__",
        ErrorReplies = errors.ToDictionary(error => error.Code, error => error.Count),
    };
}
