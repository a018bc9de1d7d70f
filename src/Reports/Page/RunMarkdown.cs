using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>Runs as Markdown for a pull request: the answer, percentiles and counts, how to reproduce it.</summary>
public static class RunMarkdown
{
    public static void Write(TextWriter writer, IReadOnlyList<PageRun> runs)
    {
        foreach (var run in runs)
        {
            SectionMarkdown.Write(writer, [
                new Section(run.Answer).Add(run.Notes).Add(run.Glance.Select(line => $"{line.Name}: {line.Value}")),
                .. run.Tables,
            ]);
            if (run.Command is { } command)
            {
                writer.WriteLine($"    {PlainText.Clean(command)}");
                writer.WriteLine();
            }
        }
    }
}
