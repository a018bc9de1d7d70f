using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// A run record on one screen of 45 lines: the answer first, then what it rests on, and where the rest is.
/// <see cref="SummaryText"/> has everything.
/// </summary>
public sealed class AnswerText(RunRecord record, string? folder)
{
    private const int Screen = 45;

    // Two empty lines, where the results are, and the line for scripts.
    private const int Beside = 4;

    /// <summary>What is typed to have a saved run printed, without its folder.</summary>
    public string Show { get; init; } = "show";

    public void WriteTo(TextWriter writer)
    {
        var sections = new RecordSections(record, folder);
        // The picture is cut, or left out, where the rest needs the room.
        var (head, tail) = (LinesOf(sections.Results()), LinesOf(sections.Origin()));
        head.ForEach(writer.WriteLine);
        if (record.Comparison is null)
            LatencyPicture.Of(record, folder)?.WriteTo(writer, Screen - head.Count - tail.Count - Beside);
        writer.WriteLine();
        tail.ForEach(writer.WriteLine);
        // Not folded: to be pasted.
        if (folder is not null)
            writer.WriteLine($"  results: {Show} {ShellWord.Quoted(folder)} --details");
        writer.WriteLine();
        writer.WriteLine(ResultLine.Of(record));

        List<string> LinesOf(IEnumerable<Section> shown)
        {
            var text = new PageText(writer.PageWidth());
            SectionText.Write(text, shown.In(Extent.Answer));
            return [.. text.ToString().TrimEnd('\n').Split('\n')];
        }
    }
}
