namespace RedisLatency.Hosting.Options;

/// <summary>Where a value came from.</summary>
/// <param name="Source">As the list of effective options says it.</param>
/// <param name="Phrase">As the end of an error message says it; null where the user sees it before them.</param>
internal sealed record OptionOrigin(string Source, string? Phrase)
{
    public static OptionOrigin Default { get; } = new("default", null);

    public static OptionOrigin CommandLine { get; } = new("command line", null);

    public static OptionOrigin Environment(string name) =>
        new($"environment {name}", $"from the environment, {name}");

    public static OptionOrigin File(string file, string key) => new(file, $"from {file}, {key}");

    /// <summary>The end of an error message.</summary>
    public string Suffix => Phrase is null ? "" : $" ({Phrase})";
}
