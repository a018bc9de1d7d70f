using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Pair;

/// <summary>A Producer behind a way that takes fewer messages than it sends: what returned is its rate.</summary>
public class ScheduleBacklogTests : PairTest
{
    private const int BytesPerSecond = 400_000;

    [Fact]
    public async Task Rate_BeyondWhatTheWayTakes_IsWhatReturned_AndTheRunIsNotValid()
    {
        var witness = new ByteCount();
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = new LinkProfile { Forward = new LinkSettings { Rate = BytesPerSecond } },
            Witness = witness,
        });
        await StartConsumer("--run", "queue");
        await using var producer = ServiceProcess.Start(
            "Producer", "--redis", $"redis://127.0.0.1:{link.PortOf()}", "--run", "queue", "--rate", "3500",
            "--warmup", "0s", "--iterations", "5000", "--max-in-flight", "10000", "--probe", "off");
        var code = await producer.End();

        var record = SavedRun.Of(producer).Record;
        var run = record.Summaries.ShouldHaveSingleItem();
        run.Count(Counted.Returned).ShouldBe(5_000, producer.ToString());
        // All that went there, divided among the messages: what connecting sent is less than a thousandth of it.
        var capacity = BytesPerSecond / (witness.Forward / 5_000.0);
        capacity.ShouldBeInRange(1_000, 3_000);
        // Nothing that the machine does makes a way quicker; the last answer may have waited for each of three
        // processes.
        var heldUp = 3 * record.Hiccups!.Max!.Value / 1e9;
        run.Rates.Achieved.ShouldNotBeNull().ShouldBeInRange(
            0.99 * 5_000 / ((5_000 / capacity) + heldUp), 1.01 * capacity, producer.ToString());
        record.Verdict.Status.ShouldBe(VerdictStatus.NotValid, producer.ToString());
        record.Verdict.Reasons[0].ShouldContain("the schedule could not be kept");
        code.ShouldBe(4, producer.ToString());
    }

    private sealed class ByteCount : ILinkObserver
    {
        private long _forward;

        public long Forward => Volatile.Read(ref _forward);

        public void Saw(in RelayedChunk chunk)
        {
            if (chunk.Direction == LinkDirection.Forward)
                Interlocked.Add(ref _forward, chunk.Bytes);
        }
    }
}
