using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class CoverageTests
{
    private static readonly RandomSource Unused = new(0);

    [Theory]
    [InlineData("sequential")]
    [InlineData("partitioned")]
    public void AllWorkersTogether_CoverEachKeyExactlyOnce(string distribution)
    {
        foreach (var count in (int[])[1, 2, 3, 10, 97, 100, 1000])
        {
            foreach (var workers in (int[])[1, 2, 3, 7, 10, 32])
            {
                Pass(Choosers(distribution, 50, count, workers), 50, count)
                    .ShouldAllBe(times => times == 1, $"{count} keys, {workers} workers");
            }
        }
    }

    [Fact]
    public void Partitioned_InLaterPasses_CoversEachKeyOnceAgain()
    {
        var choosers = Choosers("partitioned", 0, 97, 7);
        for (var pass = 1; pass <= 3; pass++)
            Pass(choosers, 0, 97).ShouldAllBe(times => times == 1);
    }

    [Fact]
    public void Sequential_InTurns_IsOneEndlessRound()
    {
        var choosers = Choosers("sequential", 0, 10, 4);

        Enumerable.Range(0, 40).Select(turn => choosers[turn % 4].Next(Unused))
            .ShouldBe(Enumerable.Range(0, 40).Select(turn => turn % 10L));
    }

    [Fact]
    public void Sequential_ThatGrows_GoesOnIntoTheNewKeys()
    {
        var chooser = Draws.Of("sequential", 3);
        var keys = Enumerable.Range(0, 2).Select(_ => chooser.Next(Unused)).ToList();
        chooser.Grow(4);
        keys.AddRange(Enumerable.Range(0, 5).Select(_ => chooser.Next(Unused)));

        keys.ShouldBe([0, 1, 2, 3, 4, 0, 1]);
    }

    [Fact]
    public void Partitions_OfMoreKeysThanAnIntCounts_TouchWithoutGapOrOverlap()
    {
        foreach (var count in (long[])[7_680_000_000, (1L << 53) + 1, KeySpace.HighestIndex + 1])
        {
            var next = 0L;
            foreach (var (worker, chooser) in Choosers("partitioned", 0, count, 160).Index())
            {
                chooser.Next(Unused).ShouldBe(next);
                next += WorkerShare.Share(count, worker, 160);
            }

            next.ShouldBe(count);
        }
    }

    private static KeyChooser[] Choosers(string distribution, long first, long count, int workers) =>
        [.. Enumerable.Range(0, workers).Select(worker =>
            KeyDistribution.Parse(distribution).Create(new KeySpace(first, count), worker, workers))];

    private static int[] Pass(KeyChooser[] choosers, long first, int count)
    {
        var times = new int[count];
        foreach (var (worker, chooser) in choosers.Index())
        {
            var draws = chooser is SequentialChooser
                ? (count - worker + choosers.Length - 1) / choosers.Length
                : WorkerShare.Share(count, worker, choosers.Length);
            for (; draws > 0; draws--)
                times[chooser.Next(Unused) - first]++;
        }

        return times;
    }
}
