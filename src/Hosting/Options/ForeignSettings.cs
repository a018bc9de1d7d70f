namespace RedisLatency.Hosting.Options;

/// <summary>Files of settings that were written for another tool.</summary>
/// <param name="Suffix">How their names end: <c>.toml</c>.</param>
/// <param name="Read">Reads the text of one, with the variables of the environment.</param>
public sealed record ForeignSettings(
    string Suffix, Func<string, IReadOnlyDictionary<string, string>, ForeignContent> Read);

/// <summary>What such a file says.</summary>
/// <param name="Settings">As options of this program.</param>
/// <param name="Problems">What is wrong with it, each with its line; nothing is run then.</param>
/// <param name="Notes">What a user should know of it, each with its line.</param>
public sealed record ForeignContent(
    IReadOnlyList<ForeignSetting> Settings, IReadOnlyList<string> Problems, IReadOnlyList<string> Notes);

/// <summary>One of its settings.</summary>
/// <param name="Key">The key of the option here, of a list with the number of the element.</param>
/// <param name="Text">The value, as it would be typed.</param>
/// <param name="Name">What it is called there.</param>
/// <param name="Line">Where it stands.</param>
public sealed record ForeignSetting(string Key, string Text, string Name, int Line);
