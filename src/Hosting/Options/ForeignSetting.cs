namespace RedisLatency.Hosting.Options;

/// <summary>A setting in a file of another tool.</summary>
/// <param name="Key">The key of the option here, of a list with the number of the element.</param>
/// <param name="Text">The value, as it would be typed.</param>
/// <param name="Name">What it is called there.</param>
/// <param name="Line">Where it stands.</param>
public sealed record ForeignSetting(string Key, string Text, string Name, int Line);
