using System.Buffers;

namespace RedisLatency.Reports.Output;

/// <summary>
/// Text that others wrote, a server or who named a key, as it may stand on a terminal: nothing in it moves the cursor,
/// begins a line, hides or turns round what follows.
/// </summary>
public static class PlainText
{
    private const char Replacement = '\uFFFD';
    private const int LongestText = 500;

    private static readonly SearchValues<char> Harmful = SearchValues.Create(
    [
        .. Enumerable.Range(0, 0xA0).Select(code => (char)code).Where(char.IsControl),
        '\u2028', '\u2029', '\u200E', '\u200F',
        .. Enumerable.Range(0x202A, 5).Concat(Enumerable.Range(0x2066, 4)).Select(code => (char)code),
    ]);

    /// <summary>The text with a replacement in the place of each such character.</summary>
    public static string Clean(string text) =>
        IsClean(text) ? text : string.Create(text.Length, text, static (place, from) => Clean(from, place));

    /// <summary>The same for a page or a pull request: not endless.</summary>
    public static string Brief(string text)
    {
        var clean = Clean(text);
        return clean.Length <= LongestText ? clean : $"{clean[..LongestText]}…";
    }

    /// <summary>Whether there is nothing to clean; allocates nothing.</summary>
    public static bool IsClean(ReadOnlySpan<char> text) => !text.ContainsAny(Harmful);

    private static void Clean(ReadOnlySpan<char> text, Span<char> place)
    {
        for (var i = 0; i < text.Length; i++)
            place[i] = text[i] == '\t' ? ' ' : Harmful.Contains(text[i]) ? Replacement : text[i];
    }
}
