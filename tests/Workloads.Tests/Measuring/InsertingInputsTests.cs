using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Drawing;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Keys.Forms;
using RedisLatency.Workloads.Measuring.Inserts;
using RedisLatency.Workloads.Measuring.Phases;

namespace RedisLatency.Workloads.Tests.Measuring;

public class InsertingInputsTests
{
    [Fact]
    public void NewKeys_OfSeveralWorkers_AreEachTakenOnce()
    {
        var workers = Create(3);

        var keys = workers.SelectMany(worker => Enumerable.Range(0, 5).Select(_ => worker.NextKey(PhaseMix.NewKeys)));

        keys.ShouldBe(Enumerable.Range(100, 15).Select(key => (long)key));
    }

    [Fact]
    public void Keys_ThatWereInserted_AreRead_AndNoneThatWasNot()
    {
        var worker = Create(1).Single();
        for (var i = 0; i < 50; i++)
            worker.Settle(PhaseMix.NewKeys, worker.NextKey(PhaseMix.NewKeys));
        worker.NextKey(PhaseMix.NewKeys);

        var read = Enumerable.Range(0, 5_000).Select(_ => worker.NextKey(PhaseMix.ExistingKeys)).ToList();

        read.Max().ShouldBe(149);
        read.Count(key => key >= 100).ShouldBeGreaterThan(read.Count / 2);
    }

    private static List<InsertingInputs> Create(int workers)
    {
        var keys = new DrawnKeys
        {
            Space = new KeySpace(0, 100, 1_000),
            Streams = [KeyDistribution.Parse("latest")],
            Form = KeyForm.Parse("ycsb"),
        };
        var inserts = new InsertSequence(keys.Space);
        return [.. Enumerable.Range(0, workers)
            .Select(worker => new InsertingInputs(keys, new WorkerPlace(worker, workers), inserts))];
    }
}
