using RedisLatency.Fixtures;
using RedisLatency.Lab.Mutations.Mutants;
using RedisLatency.Lab.SelfTest.Rows;

namespace RedisLatency.Lab.Mutations.Trials;

/// <summary>The control: the same rows, of services built in the same way without a mistake.</summary>
[Collection(nameof(AloneCollection))]
public class UnmutatedTests(MutantWorkshop workshop)
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SelfTest_OfNoMistake_ExitsWith0(bool needsMachine)
    {
        var skips = ServerRequirement.ReasonToSkipTimeNamespaces() is null ? null : "direct";
        var rows = RowCatalogue.All.Where(row => row.NeedsMachine == needsMachine).Select(row => row.Name);

        var table = await SelfTestTable.Of(workshop.Unmutated, rows.Where(row => row != skips), jobs: 4);

        table.ExitCode.ShouldBe(0, table.Text);
    }

    [Fact]
    public void Mutations_MakeEachRowMiss()
    {
        Mutation[] all =
            [.. ClockMutations.All, .. PathMutations.All, .. CorrectionMutations.All, .. MessageMutations.All];

        all.SelectMany(mutation => mutation.Rows).Distinct()
            .ShouldBe(RowCatalogue.All.Select(row => row.Name), ignoreOrder: true);
    }
}
