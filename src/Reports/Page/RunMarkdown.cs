using System.Text;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Page;

/// <summary>Runs as Markdown for a pull request: the answer, percentiles and counts, how to reproduce it.</summary>
public static class RunMarkdown
{
    public static void Write(TextWriter writer, IReadOnlyList<PageRun> runs)
    {
        foreach (var run in runs)
        {
            writer.WriteLine($"### {Safe(run.Answer)}");
            writer.WriteLine();
            foreach (var note in run.Notes)
                writer.WriteLine($"- {Safe(note)}");
            foreach (var (name, value) in run.Glance)
                writer.WriteLine($"- {Safe(name)}: {Safe(value)}");
            foreach (var table in run.Tables)
                Write(writer, table);
            if (run.Command is { } command)
            {
                writer.WriteLine();
                writer.WriteLine($"    {PlainText.Clean(command)}");
            }

            writer.WriteLine();
        }
    }

    private static void Write(TextWriter writer, PageTable table)
    {
        writer.WriteLine();
        writer.WriteLine($"| {string.Join(" | ", table.Heads.Select(Safe))} |");
        writer.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---:|", table.Heads.Count - 1))}");
        foreach (var row in table.Rows)
            writer.WriteLine($"| {string.Join(" | ", row.Select(Safe))} |");
    }

    /// <summary>What others named may not be markup.</summary>
    internal static string Safe(string text)
    {
        var safe = new StringBuilder(text.Length);
        foreach (var letter in PlainText.Clean(text))
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
