namespace RedisLatency.Redis.Preflight;

/// <summary>The line that gives a user what it lacks.</summary>
internal static class AclLine
{
    public const string DefaultUser = "default";

    /// <param name="user">The user, or null for the default user.</param>
    /// <param name="rules">Rules such as <c>+publish</c> and <c>&amp;channel</c>.</param>
    public static string For(string? user, params IEnumerable<string> rules) =>
        $"ACL SETUSER {user ?? DefaultUser} {string.Join(' ', rules.Distinct())}";
}
