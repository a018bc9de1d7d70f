namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>A mistake in the product that somebody could make, in one place.</summary>
/// <param name="Name">The mistake, in words.</param>
/// <param name="File">Where, below <c>src</c>.</param>
/// <param name="Text">What stands there, exactly once.</param>
/// <param name="Mistake">What is put in its place.</param>
/// <param name="Misses">What the self-test must then show as missed.</param>
internal sealed record Mutation(string Name, string File, string Text, string Mistake, params Miss[] Misses)
{
    /// <summary>The project that it changes.</summary>
    public string Project => File.Split('/')[0];

    /// <summary>The rows that must miss.</summary>
    public IEnumerable<string> Rows => Misses.Select(miss => miss.Row).Distinct();
}
