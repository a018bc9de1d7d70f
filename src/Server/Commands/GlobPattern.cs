namespace RedisLatency.Server.Commands;

/// <summary>Matches glob patterns over bytes as Redis does (<c>stringmatchlen</c> of <c>util.c</c>, 7.0).</summary>
internal static class GlobPattern
{
    /// <summary>Knows <c>*</c>, <c>?</c>, <c>[a-z]</c>, <c>[^a]</c> and backslash.</summary>
    public static bool IsMatch(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> text)
    {
        // On a mismatch only the last star has to take one byte more: no recursion, so no pattern is exponential.
        var (starPattern, starText) = (-1, -1);
        var (p, t) = (0, 0);
        while (t < text.Length)
        {
            if (p < pattern.Length && pattern[p] == '*')
            {
                (starPattern, starText) = (++p, t);
                continue;
            }

            if (p < pattern.Length && TryMatchOne(pattern, ref p, text[t]))
            {
                t++;
                continue;
            }

            if (starPattern < 0)
                return false;
            (p, t) = (starPattern, ++starText);
        }

        while (p < pattern.Length && pattern[p] == '*')
            p++;
        return p == pattern.Length;
    }

    private static bool TryMatchOne(ReadOnlySpan<byte> pattern, ref int p, byte letter)
    {
        switch (pattern[p])
        {
            case (byte)'?':
                p++;
                return true;
            case (byte)'[':
                return IsInClass(pattern, ref p, letter);
            case (byte)'\\' when p + 1 < pattern.Length:
                p += 2;
                return pattern[p - 1] == letter;
            default:
                return pattern[p++] == letter;
        }
    }

    private static bool IsInClass(ReadOnlySpan<byte> pattern, ref int p, byte letter)
    {
        p++;
        var isNegated = p < pattern.Length && pattern[p] == '^';
        if (isNegated)
            p++;
        var isMatch = false;
        while (p < pattern.Length && pattern[p] != ']')
        {
            if (pattern[p] == '\\' && p + 1 < pattern.Length)
            {
                isMatch |= pattern[++p] == letter;
                p++;
            }
            else if (p + 2 < pattern.Length && pattern[p + 1] == '-')
            {
                var (low, high) = (Math.Min(pattern[p], pattern[p + 2]), Math.Max(pattern[p], pattern[p + 2]));
                isMatch |= letter >= low && letter <= high;
                p += 3;
            }
            else
            {
                isMatch |= pattern[p++] == letter;
            }
        }

        if (p < pattern.Length)
            p++;
        return isMatch != isNegated;
    }
}
