using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Drawing;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Keys.Forms;
using RedisLatency.Workloads.Measuring.Inserts;
using RedisLatency.Workloads.Measuring.Phases;

namespace RedisLatency.Workloads.Tests.Measuring;

public class InsertedKeysTests
{
    [Fact]
    public void NewKeys_OfSeveralWorkers_AreEachTakenOnce()
    {
        var (workers, _) = Create(3, "latest");

        var keys = workers.SelectMany(worker => Enumerable.Range(0, 5).Select(_ => worker.NextKey(PhaseMix.NewKeys)));

        keys.Order().ShouldBe(Enumerable.Range(100, 15).Select(key => (long)key));
    }

    [Fact]
    public void LastAcknowledged_IsTheLastOneWithoutAGap()
    {
        var (workers, inserted) = Create(2, "latest");
        var first = Enumerable.Range(0, 3).Select(_ => workers[0].NextKey(PhaseMix.NewKeys)).ToList();
        inserted.LastAcknowledged.ShouldBe(99);

        workers[0].Acknowledge(PhaseMix.NewKeys, first[1]);
        inserted.LastAcknowledged.ShouldBe(99);
        workers[0].Acknowledge(PhaseMix.NewKeys, first[0]);
        inserted.LastAcknowledged.ShouldBe(100);
        workers[1].Acknowledge(PhaseMix.NewKeys, workers[1].NextKey(PhaseMix.NewKeys));
        inserted.LastAcknowledged.ShouldBe(102);
    }

    [Fact]
    public void Keys_ThatWereInserted_AreRead_AndNoneThatWasNot()
    {
        var (workers, inserted) = Create(1, "latest");
        for (var i = 0; i < 50; i++)
            workers[0].Acknowledge(PhaseMix.NewKeys, workers[0].NextKey(PhaseMix.NewKeys));
        workers[0].NextKey(PhaseMix.NewKeys);

        var read = Enumerable.Range(0, 5_000).Select(_ => workers[0].NextKey(PhaseMix.ExistingKeys)).ToList();

        inserted.LastAcknowledged.ShouldBe(149);
        read.Max().ShouldBe(149);
        read.Count(key => key >= 100).ShouldBeGreaterThan(read.Count / 2);
    }

    [Fact]
    public void AnInsertThatNeverEnds_DoesNotHoldTheOthersUpForEver()
    {
        var (workers, inserted) = Create(1, "latest");
        workers[0].NextKey(PhaseMix.NewKeys);

        for (var i = 0; i < 200_000; i++)
            workers[0].Acknowledge(PhaseMix.NewKeys, workers[0].NextKey(PhaseMix.NewKeys));

        inserted.LastAcknowledged.ShouldBe(100 + 200_000);
    }

    private static (List<InsertingInputs> Workers, InsertedKeys Inserted) Create(int workers, string distribution)
    {
        var keys = new DrawnKeys
        {
            Space = new KeySpace(0, 100, 1_000),
            Streams = [KeyDistribution.Parse(distribution)],
            Form = KeyForm.Parse("ycsb"),
        };
        var inserted = new InsertedKeys(100, workers);
        return ([.. Enumerable.Range(0, workers)
            .Select(worker => new InsertingInputs(keys, new WorkerPlace(worker, workers), inserted))], inserted);
    }
}
