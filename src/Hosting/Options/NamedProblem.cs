namespace RedisLatency.Hosting.Options;

/// <summary>Something wrong with options that were set by name.</summary>
/// <param name="Names">The options it is about, without their dashes.</param>
/// <param name="Problem">What is wrong, and what would be right.</param>
public sealed record NamedProblem(IReadOnlyList<string> Names, string Problem);
