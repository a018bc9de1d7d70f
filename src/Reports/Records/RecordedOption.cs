namespace RedisLatency.Reports.Records;

/// <summary>An option as it took effect.</summary>
/// <param name="Name">As on the command line, without the dashes.</param>
/// <param name="Value">As it would be typed; a secret is not an option's value here, but "***".</param>
/// <param name="Source">Where it came from.</param>
public sealed record RecordedOption(string Name, string Value, OptionSource Source)
{
    /// <summary>Each of several values, which stand side by side in the one; null of one alone.</summary>
    public IReadOnlyList<string>? Values { get; init; }
}
