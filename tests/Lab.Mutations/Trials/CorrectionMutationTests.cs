using RedisLatency.Lab.Mutations.Mutants;

namespace RedisLatency.Lab.Mutations.Trials;

public class CorrectionMutationTests(MutantWorkshop workshop) : MutationTest(workshop)
{
    public static TheoryData<string> Names => NamesOf(CorrectionMutations.All);

    [Theory]
    [MemberData(nameof(Names))]
    public Task SelfTest_OfAMistake_ExitsWith99(string mistake) => MustBeFound(CorrectionMutations.All, mistake);
}
