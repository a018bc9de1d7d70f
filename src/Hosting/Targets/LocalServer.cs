using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Hosting.Targets;

/// <summary>Finds the process of a server where that runs on this machine.</summary>
public static class LocalServer
{
    // INFO has whole seconds, and the kernel hundredths.
    private static readonly TimeSpan Rounding = TimeSpan.FromSeconds(2);

    /// <summary>
    /// What it waits for a processor; null where it is elsewhere, or does not say which process it is.
    /// </summary>
    public static ProcessorWaits? WaitsOf(string name, ServerFacts? facts)
    {
        if (facts is null || Number(facts, "process_id") is not { } process)
            return null;
        if (process == Environment.ProcessId)
            return ProcessorWaits.Of("the server in this process", process, EmbeddedServer.ThreadName);
        return Number(facts, "uptime_in_seconds") is { } uptime && HasRunFor(process, uptime)
            ? ProcessorWaits.Of($"the server {name}", process)
            : null;
    }

    /// <summary>
    /// The same of several, after each was asked who it is. What goes wrong is no reason not to measure.
    /// </summary>
    public static IReadOnlyList<ProcessorWaits?> WaitsOf(IEnumerable<ResolvedTarget> targets) =>
    [
        .. targets.Select(target =>
        {
            var observation = new TargetObservation(target);
            observation.Poll();
            return WaitsOf(target.Name, observation.Facts);
        }),
    ];

    // Another machine may have a process of the same number, but hardly one that was started in the same seconds.
    private static bool HasRunFor(int process, int seconds)
    {
        try
        {
            using var found = Process.GetProcessById(process);
            var age = TimeProvider.System.GetUtcNow() - found.StartTime;
            return (age - TimeSpan.FromSeconds(seconds)).Duration() <= Rounding;
        }
        catch (Exception failure) when (failure is ArgumentException or InvalidOperationException or Win32Exception
            or NotSupportedException)
        {
            return false;
        }
    }

    private static int? Number(ServerFacts facts, string field) =>
        int.TryParse(
            facts.Fields.GetValueOrDefault(field), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
}
