namespace RedisLatency.Redis.Lanes;

/// <summary>Whether a user may do what a publish/subscribe run needs.</summary>
/// <param name="User">Who the connection is logged in as.</param>
/// <param name="Missing">What is not allowed, one sentence each; empty when everything is.</param>
/// <param name="Unknown">What could not be found out without doing it, one sentence each.</param>
/// <param name="AclLine">The line to give the server so that nothing is missing, or null.</param>
public sealed record RightsFinding(
    string User, IReadOnlyList<string> Missing, IReadOnlyList<string> Unknown, string? AclLine)
{
    /// <summary>Whether nothing is known to be missing.</summary>
    public bool IsSufficient => Missing.Count == 0;

    /// <summary>What is missing and the line that gives it, as one sentence; where something is.</summary>
    public string Complaint => $"user '{User}' lacks {string.Join(" and ", Missing)}; to allow it: {AclLine}";
}
