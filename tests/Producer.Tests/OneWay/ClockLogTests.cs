using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Producer.OneWay;

namespace RedisLatency.Producer.Tests.OneWay;

public class ClockLogTests
{
    private const long Second = 1_000_000_000;

    private static readonly string[] OfABound =
    [
        "offsetNs", "errorNs", "errorAtStartNs", "errorAtReferenceNs", "errorAtEndNs", "skewPpm", "skewLowPpm",
        "skewHighPpm", "probeLowNs", "probeHighNs",
    ];

    /// <summary>The other clock was heard of for ten seconds of twenty.</summary>
    [Fact]
    public void Window_OfWhichNothingIsKnown_HasNoBoundAndIsNotProven()
    {
        var root = Directory.CreateTempSubdirectory("redislatency-clock-log-");
        try
        {
            using var results = new SavedResults(
                root.FullName, TimeProvider.System.GetUtcNow(), "run", "test", [], NullLogger.Instance);
            var file = results.CreateLines(ClockLog.FileName);
            var log = new ClockLog(file);
            var tracker = new OffsetTracker(new OffsetAssumptions());
            for (var sent = 0L; sent < 10 * Second; sent += Second / 200)
                tracker.Add(new ClockProbe(sent, sent + 5_000, sent + 8_000, sent + 13_000));
            tracker.Complete(20 * Second);
            while (tracker.TryTake(out var window))
                log.Write(0, window);
            file.Complete();

            var lines = File.ReadAllLines(Path.Combine(results.Folder!, ClockLog.FileName))
                .Select(line => JsonNode.Parse(line)!.AsObject()).ToLookup(line => Is(line, "isBounded"));

            lines[false].ShouldNotBeEmpty();
            foreach (var line in lines[false])
            {
                Is(line, "isProven").ShouldBeFalse();
                line.Select(member => member.Key).Intersect(OfABound).ShouldBeEmpty();
            }

            lines[true].ShouldNotBeEmpty();
            lines[true].ShouldAllBe(line => OfABound.All(line.ContainsKey));
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    private static bool Is(JsonObject line, string name) => line[name]!.GetValue<bool>();
}
