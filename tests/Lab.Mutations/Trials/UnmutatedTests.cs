using RedisLatency.Fixtures;
using RedisLatency.Lab.Mutations.Mutants;
using RedisLatency.Lab.Rows;

namespace RedisLatency.Lab.Mutations.Trials;

/// <summary>
/// The control: the first row of each kind, of services made in the same way without a mistake. All rows of the
/// services as they are is what the self-test itself does.
/// </summary>
[Collection(nameof(AloneCollection))]
public class UnmutatedTests(MutantWorkshop workshop)
{
    [Fact]
    public async Task SelfTest_OfNoMistake_ExitsWith0()
    {
        var skips = ServerRequirement.ReasonToSkipTimeNamespaces() is null ? null : "direct";
        var rows =
            new[] { ClockRows.All, RateRows.All, BreakRows.All, LinkRows.All, MessageRows.All, ClaimRows.All }.Select(
                kind => kind.First(row => row.Name != skips).Name);

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
