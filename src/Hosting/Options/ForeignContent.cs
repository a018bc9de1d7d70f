namespace RedisLatency.Hosting.Options;

/// <summary>What a file of settings of another tool says.</summary>
/// <param name="Settings">As options of this program.</param>
/// <param name="Problems">What is wrong with it, each with its line; nothing is run then.</param>
/// <param name="Notes">What a user should know of it, each with its line.</param>
public sealed record ForeignContent(
    IReadOnlyList<ForeignSetting> Settings, IReadOnlyList<string> Problems, IReadOnlyList<string> Notes);
