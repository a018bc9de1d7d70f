using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Results;

/// <summary>The results folders that rotation has closed, of one run, role and instance.</summary>
internal sealed class ClosedFolders(string root, RunMember member, TimeSpan keep)
{
    /// <summary>
    /// Deletes those that ended longer ago than they are kept; what others wrote, or was not closed, stays.
    /// </summary>
    /// <returns>Each of them, and why it could not be deleted.</returns>
    public IReadOnlyList<(string Folder, string? Problem)> DeleteOlder(DateTimeOffset now)
    {
        try
        {
            var before = now - keep;
            return
            [
                .. ResultsFolder.Named(root, member.Run, member.Instance, before)
                    .Where(folder => IsOwn(folder, before)).Select(folder => (folder, Delete(folder))),
            ];
        }
        catch (Exception failure) when (IsOfFiles(failure))
        {
            return [(root, failure.Message)];
        }
    }

    // A link would lead to somebody else's.
    private bool IsOwn(string folder, DateTimeOffset before)
    {
        try
        {
            return new DirectoryInfo(folder).LinkTarget is null
                && RunRecordReader.Read(folder) is { Phases: [.., var last], MergedFrom: null } record
                && (record.Run, record.Role, record.Instance) == (member.Run, member.Role, member.Instance)
                && record.IsRotated
                && last.StartUtc + TimeSpan.FromNanoseconds(last.DurationNs) < before;
        }
        catch (RunRecordException)
        {
            return false;
        }
    }

    private static string? Delete(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
            return null;
        }
        catch (Exception failure) when (IsOfFiles(failure))
        {
            return failure.Message;
        }
    }

    private static bool IsOfFiles(Exception failure) => failure is IOException or UnauthorizedAccessException;
}
