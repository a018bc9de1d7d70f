using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Hosting.Results;

/// <summary>Prints a run record in the form that was asked for.</summary>
public static class RecordOutput
{
    /// <summary>Prints the record; the folder is null where its results could not be written.</summary>
    public static void Write(
        RunRecord record,
        string? folder,
        (OutputFormat Format, bool HasDetails) form,
        IEnumerable<string> secrets,
        StandardOutput output)
    {
        var (format, hasDetails) = form;
        (output.IsDocument, output.Folder) = (format != OutputFormat.Text, folder);
        switch (format)
        {
            case OutputFormat.Json:
                var json = Encoding.UTF8.GetString(RunRecordWriter.Serialize(record, secrets));
                foreach (var line in json.EnumerateLines())
                    output.WriteLine(line);
                break;
            case OutputFormat.Csv:
                RecordCsv.Write(output, record);
                break;
            default:
                if (!hasDetails)
                    new AnswerText(record, folder) { Show = ProgramName.ToShow }.WriteTo(output);
                else
                    new SummaryText(record, folder).WriteTo(output);
                break;
        }

        output.Flush();
    }
}
