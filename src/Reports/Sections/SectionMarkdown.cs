using System.Text;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Sections;

/// <summary>Sections as Markdown for a pull request; what others named is no markup.</summary>
public static class SectionMarkdown
{
    /// <summary>Writes sections, the first with a heading above those of the others.</summary>
    public static void Write(TextWriter writer, params IEnumerable<Section> sections)
    {
        var mark = "###";
        foreach (var section in sections)
        {
            if (section.Heading is { } heading)
            {
                writer.WriteLine($"{mark} {Safe(heading)}");
                writer.WriteLine();
            }

            mark = "####";
            var isInList = false;
            foreach (var part in section.Parts)
            {
                if (part is Table && isInList)
                    writer.WriteLine();
                isInList = part is Note;
                if (part is Note note)
                    writer.WriteLine($"- {Safe(note.Text)}");
                else if (part is Table table)
                    Write(writer, table);
            }

            if (isInList)
                writer.WriteLine();
        }
    }

    private static void Write(TextWriter writer, Table table)
    {
        writer.WriteLine(Line(table.Heads));
        writer.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---:|", table.Heads.Count - 1))}");
        foreach (var row in table.Rows)
            writer.WriteLine(Line(row));
        writer.WriteLine();
    }

    private static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells.Select(Safe))} |";

    private static string Safe(string text)
    {
        var safe = new StringBuilder(text.Length);
        foreach (var letter in PlainText.Brief(text))
        {
            safe.Append(letter switch
            {
                '<' => "&lt;",
                '&' => "&amp;",
                '\\' or '|' or '`' or '[' or '*' or '_' or '~' => $"\\{letter}",
                _ => letter.ToString(),
            });
        }

        return safe.ToString();
    }
}
