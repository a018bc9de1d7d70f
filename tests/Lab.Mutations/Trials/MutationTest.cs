using RedisLatency.Fixtures;
using RedisLatency.Lab.Mutations.Mutants;

namespace RedisLatency.Lab.Mutations.Trials;

/// <summary>Mistakes in the product, each of which the self-test must find.</summary>
public abstract class MutationTest(MutantWorkshop workshop)
{
    internal static TheoryData<string> NamesOf(IEnumerable<Mutation> mutations) =>
        [.. mutations.Select(mutation => mutation.Name)];

    internal async Task MustBeFound(IEnumerable<Mutation> mutations, string name)
    {
        var mutation = mutations.Single(one => one.Name == name);
        if (mutation.Rows.Contains("direct"))
            ServerRequirement.RequireTimeNamespaces();

        var table = await SelfTestTable.Of(await workshop.Make(mutation), mutation.Rows, jobs: mutation.Rows.Count());

        table.ExitCode.ShouldBe(99, table.Text);
        foreach (var miss in mutation.Misses)
            table.Shows(miss).ShouldBeTrue($"{table.Text}\n{miss} is not in the table");
    }
}
