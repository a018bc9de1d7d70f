using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Summaries;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Consumer.Reporting;

/// <summary>Prints a run record in the form that was asked for.</summary>
internal static class ServedOutput
{
    /// <summary>Prints the record; one of another role is printed as its own service does.</summary>
    public static void Write(
        RunRecord record, string? folder, OutputFormat format, IEnumerable<string> secrets, StandardOutput output)
    {
        if (record.Role != ServedRecord.Role || format == OutputFormat.Json)
            RecordOutput.Write(record, folder, format, secrets, output);
        else if (format == OutputFormat.Csv)
            ServedCsv.Write(new ServedRecord(record), output);
        else
            new ServedText(new ServedRecord(record), folder).WriteTo(output);
        output.Flush();
    }
}
