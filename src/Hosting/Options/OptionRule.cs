namespace RedisLatency.Hosting.Options;

/// <summary>A rule over several options; it is not asked while one of them is itself wrong.</summary>
internal sealed record OptionRule<TOptions>(IReadOnlyList<string> Names, Func<TOptions, string?> Problem);
