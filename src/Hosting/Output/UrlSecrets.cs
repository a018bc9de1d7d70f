using System.Text.RegularExpressions;

namespace RedisLatency.Hosting.Output;

/// <summary>Errors repeat what was given at any option: what looks like a URL's user part is hidden.</summary>
internal static partial class UrlSecrets
{
    /// <summary>Whether there may be something to hide; allocates nothing.</summary>
    public static bool MayBeIn(ReadOnlySpan<char> text) =>
        text.Contains('@') && text.Contains("://", StringComparison.Ordinal);

    /// <summary>The text with <c>***</c> for passwords; a user that stands alone may be one.</summary>
    public static string Hide(string text) => MayBeIn(text) ? UserPart().Replace(text, "://${user}***@") : text;

    // A password may hold anything, an @ too: up to the last one.
    [GeneratedRegex("""://(?<user>[^\s:/@'"]*:)?[^\s'"]*@""")]
    private static partial Regex UserPart();
}
