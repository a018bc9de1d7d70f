using RedisLatency.Lab.Mutations.Mutants;

namespace RedisLatency.Lab.Mutations.Trials;

public class MessageMutationTests(MutantWorkshop workshop) : MutationTest(workshop)
{
    public static TheoryData<string> Names => NamesOf(MessageMutations.All);

    [Theory]
    [MemberData(nameof(Names))]
    public Task SelfTest_OfAMistake_ExitsWith99(string mistake) => MustBeFound(MessageMutations.All, mistake);
}
