using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>What the tests with several servers share.</summary>
internal static class RoutingTest
{
    /// <summary>Waits until every one of so many keys has surely been served several times more.</summary>
    public static void Progress(RawEngine engine, int keys)
    {
        var target = engine.Totals().Completed + (4 * keys);
        WaitUntil(engine, $"{target} operations are completed", () => engine.Totals().Completed >= target);
    }

    /// <summary>Waits for a state of the engine; the limit is only against hangs.</summary>
    public static void WaitUntil(RawEngine engine, string what, Func<bool> isSo)
    {
        var deadline = MonotonicClock.NowNs() + (long)ServiceProcess.LimitAgainstHangs.TotalNanoseconds;
        while (!isSo())
        {
            engine.Failure.ShouldBeNull();
            MonotonicClock.NowNs().ShouldBeLessThan(deadline, $"{what}\n{Describe(engine)}");
            Pacer.WaitUntil(MonotonicClock.NowNs() + 5_000_000);
        }
    }

    /// <summary>How often a server has executed a command, by its own account.</summary>
    public static long Calls(RedisConnection connection, string command)
    {
        var line = connection.Execute("INFO", "commandstats").Text.Split('\n')
            .FirstOrDefault(known => known.StartsWith($"cmdstat_{command}:", StringComparison.Ordinal));
        return line is null ? 0 : long.Parse(line.Split("calls=")[1].Split(',')[0], CultureInfo.InvariantCulture);
    }

    /// <summary>Everything that was counted, for the message of a failed assertion.</summary>
    public static string Describe(RawEngine engine)
    {
        var totals = engine.Totals();
        return string.Join('\n', totals.Operations.Select(one => $"{one} {string.Join(' ', one.ErrorReplies)}"))
            + $"\n{totals}\n{string.Join('\n', totals.Facts.Servers)}"
            + $"\n{string.Join('\n', totals.Facts.PrimaryChanges)}";
    }
}
