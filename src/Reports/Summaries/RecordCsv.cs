using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>A run record as CSV, for programs.</summary>
public static class RecordCsv
{
    public static void Write(TextWriter writer, RunRecord record) =>
        SectionCsv.Write(writer, RecordKind.Of(record).ToCsv(record));
}
