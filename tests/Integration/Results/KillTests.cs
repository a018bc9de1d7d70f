using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Integration.Results;

public class KillTests : PairTest
{
    [Fact]
    public async Task Kill_WhileMeasuring_LeavesTheLogReadableToItsLastWholeInterval()
    {
        await StartConsumer();
        var producer = StartProducer("--rate", "1000", "--duration", "10m", "--warmup", "0");
        await Eventually.Is("there is a third interval", () => SavedRun.IntervalsLoggedBy(producer) >= 3);

        (await producer.EndBy("KILL")).ShouldBe(137, producer.ToString());

        var run = SavedRun.Of(producer);
        File.Exists(Path.Combine(run.Folder, ResultsFolder.RunRecordName)).ShouldBeFalse();
        File.Exists(Path.Combine(run.Folder, ResultsFolder.IntervalLogName)).ShouldBeFalse();
        var seconds = run.Intervals(out _).Where(interval => interval.Tag == "rtt").ToList();
        seconds.Count.ShouldBeGreaterThanOrEqualTo(2);
        seconds.ShouldAllBe(interval => interval.Histogram.TotalCount > 0);
        run.Merged("rtt").TotalCount.ShouldBe(seconds.Sum(interval => interval.Histogram.TotalCount));

        await using var show = ServiceProcess.Start("Producer", "show", run.Folder);
        (await show.End()).ShouldBe(0, show.ToString());
        show.Output.Lines[0].ShouldStartWith("VERDICT  none: the run was killed");
        var count = run.Merged("rtt").TotalCount.ToString("N0", CultureInfo.InvariantCulture);
        show.Output.Lines.ShouldContain(
            line => line.StartsWith("  rtt ", StringComparison.Ordinal) && line.Contains($" {count} ", StringComparison.Ordinal),
            show.ToString());

        await using var csv = ServiceProcess.Start("Producer", "show", run.Folder, "--format", "csv");
        (await csv.End()).ShouldBe(2, csv.ToString());
        csv.Errors.ToString().ShouldContain("the run was killed, or is still under way");

        // As one that is killed within its first second leaves it.
        var log = Directory.GetFiles(run.Folder, $"{ResultsFolder.IntervalLogName}*").ShouldHaveSingleItem();
        File.WriteAllLines(log, File.ReadAllLines(log).TakeWhile(line => line[0] is '#' or '"'));
        await using var early = ServiceProcess.Start("Producer", "show", run.Folder);
        (await early.End()).ShouldBe(0, early.ToString());
        early.Output.ToString().ShouldContain("holds no interval");
    }
}
