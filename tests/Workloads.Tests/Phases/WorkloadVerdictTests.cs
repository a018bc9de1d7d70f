using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

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

    private static OperationResult Operation(params (string Code, long Count)[] errors) => new()
    {
        Name = "get",
        Command = "GET __key__",
        ErrorReplies = errors.ToDictionary(error => error.Code, error => error.Count),
    };
}
