namespace RedisLatency.Redis;

/// <summary>The line that gives a user what it lacks: rules such as <c>+publish</c>, <c>&amp;channel</c>.</summary>
public static class AclLine
{
    public const string DefaultUser = "default";

    public static string For(string? user, params IEnumerable<string> rules) =>
        $"ACL SETUSER {user ?? DefaultUser} {string.Join(' ', rules.Distinct())}";

    /// <summary>
    /// What a NOPERM says is missing: the command, or its channels. The server looks at the channels only once the
    /// command is allowed, and a rule for a channel is an error where all channels are allowed already, so there is
    /// no line that gives both on suspicion.
    /// </summary>
    public static IEnumerable<string> RulesAgainst(string error, string command, IEnumerable<string> channels) =>
        IsAboutCommand(error) ? [$"+{command}"] : channels.Select(channel => $"&{channel}");

    public static bool IsAboutCommand(string error) => error.Contains("to run the", StringComparison.Ordinal);
}
