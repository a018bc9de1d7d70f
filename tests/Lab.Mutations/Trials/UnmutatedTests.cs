using RedisLatency.Lab.Mutations.Mutants;
using RedisLatency.Lab.SelfTest;

namespace RedisLatency.Lab.Mutations.Trials;

/// <summary>
/// The control: a row of each kind, of services made in the same way without a mistake. Rows that judge microseconds
/// depend on the machine, too; these, and all others, are what the self-test itself does.
/// </summary>
[Collection(nameof(AloneCollection))]
public class UnmutatedTests(MutantWorkshop workshop)
{
    [Fact]
    public async Task SelfTest_OfNoMistake_ExitsWith0()
    {
        IEnumerable<Row>[] kinds = [RateRows.All, BreakRows.All, LinkRows.All, MessageRows.All, ClaimRows.All];
        var rows = kinds.Select(kind => kind.First(row => !row.NeedsMachine).Name);

        var first = ClockMutations.All[0];
        var made = await workshop.Make(first with { Mistake = first.Text });
        var table = await SelfTestTable.Of(made, rows, jobs: kinds.Length);

        table.ExitCode.ShouldBe(0, string.Join('\n', [table.Text, .. table.Misses]));
    }

    [Fact]
    public void Mutations_MakeEachRowMiss()
    {
        Mutation[] all =
        [
            .. ClockMutations.All, .. BreakMutations.All, .. RateMutations.All, .. PathMutations.All,
            .. CorrectionMutations.All, .. MessageMutations.All,
        ];

        all.SelectMany(mutation => mutation.Rows).Distinct()
            .ShouldBe(RowCatalogue.All.Select(row => row.Name), ignoreOrder: true);
    }
}
