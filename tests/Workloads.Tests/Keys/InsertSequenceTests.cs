using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class InsertSequenceTests
{
    [Fact]
    public void Acknowledge_OutOfOrder_MovesOnlyOverWhatIsThere()
    {
        var inserts = new InsertSequence(new KeySpace(0, 100));
        var taken = Take(inserts, 4);
        taken.ShouldBe([100, 101, 102, 103]);

        inserts.Acknowledge(102);
        inserts.LastAcknowledged.ShouldBe(99);
        inserts.Acknowledge(100);
        inserts.LastAcknowledged.ShouldBe(100);
        inserts.Acknowledge(101);
        inserts.LastAcknowledged.ShouldBe(102);
        inserts.Acknowledge(103);
        inserts.LastAcknowledged.ShouldBe(103);
    }

    [Fact]
    public void TryTake_AWholeWindowAhead_WaitsForTheOldest()
    {
        var inserts = new InsertSequence(new KeySpace(7_680_000_000, 1));
        var taken = Take(inserts, InsertSequence.Window);

        inserts.TryTake(out _).ShouldBeFalse();
        foreach (var index in taken.AsEnumerable().Reverse())
            inserts.Acknowledge(index);

        inserts.LastAcknowledged.ShouldBe(taken[^1]);
        inserts.TryTake(out var next).ShouldBeTrue();
        next.ShouldBe(taken[^1] + 1);
    }

    [Fact]
    public void TryTake_AtTheHighestIndex_Ends() =>
        new InsertSequence(new KeySpace(0, KeySpace.HighestIndex + 1)).TryTake(out _).ShouldBeFalse();

    [Fact]
    public void FourThreads_TakeEveryIndexOnce_AndNoAcknowledgementIsLost()
    {
        const int Each = 100_000;
        var inserts = new InsertSequence(new KeySpace(0, 1));
        var taken = new long[4][];
        var threads = Enumerable.Range(0, 4).Select(worker => new Thread(() =>
        {
            taken[worker] = new long[Each];
            for (var number = 0; number < Each; number++)
            {
                inserts.TryTake(out taken[worker][number]);
                inserts.Acknowledge(taken[worker][number]);
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());

        taken.SelectMany(indexes => indexes).Distinct().Count().ShouldBe(4 * Each);
        inserts.LastAcknowledged.ShouldBe(4 * Each);
    }

    private static long[] Take(InsertSequence inserts, int count)
    {
        var taken = new long[count];
        for (var number = 0; number < count; number++)
            inserts.TryTake(out taken[number]).ShouldBeTrue();
        return taken;
    }
}
