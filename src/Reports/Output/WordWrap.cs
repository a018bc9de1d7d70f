namespace RedisLatency.Reports.Output;

/// <summary>Breaks text between words, so that no line is wider than the page.</summary>
public static class WordWrap
{
    /// <summary>The lines of a text; a word that is wider than a line has one for itself.</summary>
    public static IReadOnlyList<string> Lines(string text, int width)
    {
        var lines = new List<string> { string.Empty };
        foreach (var word in text.Split(' '))
        {
            if (lines[^1].Length == 0)
                lines[^1] = word;
            else if (lines[^1].Length + 1 + word.Length <= width)
                lines[^1] += $" {word}";
            else
                lines.Add(word);
        }

        return lines;
    }
}
