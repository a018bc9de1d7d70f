using RedisLatency.Lab.Mutations.Mutants;

namespace RedisLatency.Lab.Mutations.Trials;

public class BreakMutationTests(MutantWorkshop workshop) : MutationTest(workshop)
{
    public static TheoryData<string> Names => NamesOf(BreakMutations.All);

    [Theory]
    [MemberData(nameof(Names))]
    public Task SelfTest_OfAMistake_ExitsWith99(string mistake) => MustBeFound(BreakMutations.All, mistake);
}
