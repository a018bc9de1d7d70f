namespace RedisLatency.Hosting.Options;

/// <summary>Files of settings that were written for another tool.</summary>
/// <param name="Suffix">How their names end: <c>.toml</c>.</param>
/// <param name="Read">Reads the text of one, with the variables of the environment.</param>
public sealed record ForeignSettings(
    string Suffix, Func<string, IReadOnlyDictionary<string, string>, ForeignContent> Read);
