namespace RedisLatency.Hosting.Options;

/// <summary>
/// A file of settings. Only those that are named are read: what lies in the folder in which a program is started may be
/// anybody's, and could send a login elsewhere.
/// </summary>
/// <param name="Path">Where it is.</param>
/// <param name="Name">As it was typed, for messages and results.</param>
public sealed record SettingsFile(string Path, string Name)
{
    /// <summary>The option that names one.</summary>
    public const string Option = "--config";
}
