using RedisLatency.Hosting.Running;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Verify;

/// <summary>Looks before anything is read whether both servers can be.</summary>
internal static class VerifyPreflight
{
    private static readonly string[][] Reading =
    [
        ["SCAN", "0"], ["TYPE", "k"], ["DUMP", "k"], ["GETRANGE", "k", "0", "1"], ["HSCAN", "k", "0"],
        ["XINFO", "STREAM", "k"], ["SELECT", "0"],
    ];

    /// <exception cref="RunRefusedException">They cannot; the message says what to do about it.</exception>
    public static void Require(TargetServer source, TargetServer destination)
    {
        List<string> problems =
        [
            .. Preflight.RightsProblems(source, Reading, SyncRights.Verify),
            .. Preflight.RightsProblems(destination, Reading, SyncRights.Verify),
        ];
        if (source.Facts.RunId is { } id && id == destination.Facts.RunId)
        {
            problems.Add($"--source and --destination {destination.Target.Name} are one server: give two.");
        }
        else if (source.FindServers().Intersect(destination.FindServers()).Any())
        {
            problems.Add($"--source {source.Target.Name} and --destination {destination.Target.Name} have servers in "
                + "common, which would be compared with themselves: give two clusters.");
        }

        if (source.Facts.IsLoading == true || destination.Facts.IsLoading == true)
            problems.Add("A server is still loading its data: wait for it.");
        if (problems.Count > 0)
            throw new RunRefusedException(string.Join(" ", problems));
    }
}
