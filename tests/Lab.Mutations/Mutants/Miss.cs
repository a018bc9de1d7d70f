namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>A line of the self-test's table that must not hold.</summary>
/// <param name="Row">The row.</param>
/// <param name="Finding">How the finding begins.</param>
internal sealed record Miss(string Row, string Finding);
