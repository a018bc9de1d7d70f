namespace RedisLatency.Hosting.Options;

/// <summary>Where a value came from; the phrase, for messages, is null where the user sees it before them.</summary>
internal sealed record OptionOrigin(string Source, string? Phrase)
{
    public static OptionOrigin Default { get; } = new("default", null);
    public static OptionOrigin CommandLine { get; } = new("command line", null);

    public static OptionOrigin Environment(string name) => new($"environment {name}", $"from the environment, {name}");

    public static OptionOrigin File(string file, string key) => new(file, $"from {file}, {key}");

    public string Suffix => Phrase is null ? "" : $" ({Phrase})";
}
