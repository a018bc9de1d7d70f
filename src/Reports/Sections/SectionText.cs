using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Sections;

/// <summary>
/// Sections as text, no wider than the page. Of a table the first column is to the left, the others to the right, two
/// spaces between; the columns that do not fit follow in a further block that repeats the first one. Nothing is cut,
/// and what others wrote moves no cursor (<see cref="PlainText"/>).
/// </summary>
public static class SectionText
{
    private const int Gap = 2;

    /// <summary>Writes sections with an empty line between two.</summary>
    public static void Write(TextWriter writer, params IEnumerable<Section> sections)
    {
        var isFirst = true;
        foreach (var section in sections)
        {
            if (!isFirst)
                writer.WriteLine();
            isFirst = false;
            if (section.Heading is { } heading)
                writer.Fold(string.Empty, heading);
            foreach (var part in section.Parts)
            {
                if (part is Table table)
                    Write(writer, table);
                else if (part is Note note)
                    writer.Fold("  ", note.Text);
            }
        }
    }

    /// <summary>Writes a paragraph, broken before the page ends; its further lines are indented.</summary>
    internal static void Fold(this TextWriter writer, string indent, string text)
    {
        foreach (var line in WordWrap.Lines(PlainText.Clean(text), writer.PageWidth() - 4))
        {
            writer.WriteLine(indent + line);
            indent = "    ";
        }
    }

    private static void Write(TextWriter writer, Table table)
    {
        var pageWidth = writer.PageWidth();
        List<string[]> rows = [.. table.Rows.Prepend(table.Heads).Select(row => row.Select(PlainText.Clean).ToArray())];
        int[] widths = [.. table.Heads.Select((_, column) => rows.Max(row => row[column].Length))];
        for (var from = 1; from == 1 || from < widths.Length;)
        {
            var until = from;
            var width = table.Indent + widths[0];
            while (until < widths.Length && (until == from || width + Gap + widths[until] <= pageWidth))
                width += Gap + widths[until++];
            if (from > 1)
                writer.WriteLine();
            foreach (var row in rows)
            {
                var line = new string(' ', table.Indent) + row[0].PadRight(widths[0]);
                for (var column = from; column < until; column++)
                    line += new string(' ', Gap) + row[column].PadLeft(widths[column]);
                writer.WriteLine(line.TrimEnd());
            }

            from = Math.Max(until, from + 1);
        }
    }
}
