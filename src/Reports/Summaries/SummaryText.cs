using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>A run record in full, as text: the same at the end of a run and when a saved one is shown.</summary>
public sealed class SummaryText(RunRecord record, string? folder)
{
    public void WriteTo(TextWriter writer)
    {
        var sections = new RecordSections(record, folder);
        SectionText.Write(writer, sections.Results().Concat(sections.Origin()).In(Extent.Details));
        writer.WriteLine();
        writer.WriteLine(ResultLine.Of(record));
    }
}
