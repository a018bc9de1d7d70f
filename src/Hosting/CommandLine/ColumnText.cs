namespace RedisLatency.Hosting.CommandLine;

/// <summary>A text beside or below its label, wrapped between words, its lines aligned.</summary>
internal static class ColumnText
{
    /// <summary>Writes the label and the text from a column on; nothing where both are empty.</summary>
    public static void Write(TextWriter output, int width, int column, string label, string text)
    {
        var line = label;
        if (label.Length > 0 && label.Length + 1 > column && text.Length > 0)
        {
            output.WriteLine(label);
            line = "";
        }

        var isEmpty = true;
        foreach (var word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (!isEmpty && line.Length + 1 + word.Length > width)
            {
                output.WriteLine(line);
                line = "";
                isEmpty = true;
            }

            line = isEmpty ? line.PadRight(column) + word : $"{line} {word}";
            isEmpty = false;
        }

        if (line.Length > 0)
        {
            output.WriteLine(line);
        }
    }
}
