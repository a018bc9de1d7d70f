using RedisLatency.Lab.Mutations.Mutants;
using RedisLatency.Lab.Rows;

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
        var rows =
            from kind in new[] { RateRows.All, BreakRows.All, LinkRows.All, MessageRows.All, ClaimRows.All }
            select kind.First(row => !row.NeedsMachine).Name;

        var first = ClockMutations.All[0];
        var table = await SelfTestTable.Of(await workshop.Make(first with { Mistake = first.Text }), rows, jobs: 4);

        table.ExitCode.ShouldBe(0, string.Join('\n', [table.Text, .. table.Misses]));
    }

    [Fact]
    public void Mutations_MakeEachRowMiss()
    {
        Mutation[] all =
        [
            .. ClockMutations.All, .. RateMutations.All, .. PathMutations.All, .. CorrectionMutations.All,
            .. MessageMutations.All,
        ];

        all.SelectMany(mutation => mutation.Rows).Distinct()
            .ShouldBe(RowCatalogue.All.Select(row => row.Name), ignoreOrder: true);
    }
}
