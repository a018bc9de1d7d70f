using System.Text.Json;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Reports.Records;

/// <summary>Writes run records.</summary>
public static class RunRecordWriter
{
    /// <summary>Writes a record into a folder of results, in place of one that is there.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="record">The record.</param>
    /// <param name="secrets">Passwords and the like of this run: where a text contains one, *** is written.</param>
    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public static void Write(ResultsFolder folder, RunRecord record, IEnumerable<string> secrets) =>
        folder.WriteFile(ResultsFolder.RunRecordName, Serialize(record, secrets));

    /// <summary>The record as UTF-8 JSON, as <c>--format json</c> prints it.</summary>
    public static byte[] Serialize(RunRecord record, IEnumerable<string> secrets)
    {
        var options = new JsonSerializerOptions(RunRecordJson.Default.Options);
        options.Converters.Add(new SecretMask(secrets));
        return JsonSerializer.SerializeToUtf8Bytes(record, new RunRecordJson(options).RunRecord);
    }
}
