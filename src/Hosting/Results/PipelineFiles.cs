using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Hosting.Results;

/// <summary>What a pipeline reads of a run besides its exit code; what cannot be written makes that 6.</summary>
internal sealed class PipelineFiles(OutputOptions options, Diagnostics diagnostics)
{
    /// <summary>Writes each threshold as a test case, and the verdict as the last.</summary>
    public RunRecord WriteJUnit(RunRecord record) => options.JUnit is { } file
        ? record with
        {
            ExitCode = ExitCode.Combine(record.ExitCode, Try(() => File.WriteAllText(file, JUnitDocument.Of(
                $"redis-latency {record.Role}",
                [
                    .. record.Thresholds.Select(threshold => new JUnitCase(
                        record.Run, threshold.Expression, threshold.Held, threshold.Reason ?? threshold.Expression)),
                    VerdictCase.Of(
                        record.Run, record.ExitCode, [SentenceOf(record.PartialReason), .. record.Verdict.Reasons]),
                ])))),
        }
        : record;

    /// <summary>Appends the answer of a saved run.</summary>
    /// <returns>An exit code.</returns>
    public int AppendSummary(string? folder) => !options.StepSummary || folder is null
        ? ExitCode.Valid
        : Try(() => StepSummary.Append(page => RunMarkdown.Write(page, [new PageRun(SavedRun.Open(folder))])));

    private static string? SentenceOf(string? reason) => reason is null ? null : $"{reason.TrimEnd('.')}.";

    private int Try(Action write)
    {
        try
        {
            write();
            return ExitCode.Valid;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or SavedRunException)
        {
            diagnostics.WriteLine(failure.Message);
            return ExitCode.ResultsNotWritten;
        }
    }
}
