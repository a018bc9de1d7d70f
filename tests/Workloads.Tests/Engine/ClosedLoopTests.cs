using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class ClosedLoopTests
{
    [Theory]
    [InlineData(nameof(LoopKind.Auto), 1, 1)]
    [InlineData(nameof(LoopKind.Auto), 2, 1)]
    [InlineData(nameof(LoopKind.Auto), 1, 16)]
    [InlineData(nameof(LoopKind.Auto), 3, 7)]
    [InlineData(nameof(LoopKind.Portable), 2, 3)]
    public void Count_OfOperations_IsMetExactly(string loop, int threads, int pipeline)
    {
        using var server = InProcessServer.Start();
        var latencies = new EngineLatencies(2);

        var totals = EngineTest.Run(
            EngineTest.Plan(server.Endpoint, EngineTest.Mix("set", "get")) with
            {
                Threads = threads,
                Pipeline = pipeline,
                Operations = 5_003,
                Loop = Enum.Parse<LoopKind>(loop),
            },
            latencies);

        totals.Sent.ShouldBe(5_003);
        totals.Completed.ShouldBe(5_003);
        totals.ShouldBeBalanced();
        totals.Operations[1].Hits.ShouldBe(totals.Operations[1].Completed - totals.Operations[1].Misses);
        latencies.Service.Sum(histogram => histogram.TotalCount).ShouldBe(5_003);
        latencies.Response.Sum(histogram => histogram.TotalCount).ShouldBe(0);
    }

    /// <summary>
    /// io_uring takes what all connections send with one call, after the last of them was written: none was sent
    /// before.
    /// </summary>
    [Fact]
    public void Latency_RunsFromTheHandOver_NotFromTheWritingOfTheRequest()
    {
        Assert.SkipWhen(UringLoop.Missing is not null, UringLoop.Missing ?? string.Empty);
        using var server = InProcessServer.Start();
        var latencies = new EngineLatencies(1);
        var inputs = new SlowInputs();

        EngineTest.Run(
            EngineTest.Plan(server.Endpoint, EngineTest.Mix("set")) with
            {
                Inputs = _ => inputs,
                ConnectionsPerThread = 2,
                Operations = 2,
                Loop = LoopKind.IoUring,
            },
            latencies);
        var end = MonotonicClock.NowNs();

        latencies.Service[0].TotalCount.ShouldBe(2);
        // What the histogram tells is at most a thousandth more than what it was given.
        (latencies.Service[0].Max / 1.001).ShouldBeLessThanOrEqualTo(end - inputs.LastWritten);
    }

    /// <summary>Takes its time to write the second value.</summary>
    private sealed class SlowInputs : CommandInputs
    {
        private const long SlownessNs = 300_000_000;

        private readonly PlainInputs _plain = new(10);
        private int _written;

        public long LastWritten { get; private set; }

        public override int MaximumKeyLength => _plain.MaximumKeyLength;

        public override int MaximumValueLength => _plain.MaximumValueLength;

        public override long NextKey(int stream) => _plain.NextKey(stream);

        public override int WriteKey(long key, Span<byte> destination) => _plain.WriteKey(key, destination);

        public override ulong NextRandom() => _plain.NextRandom();

        public override int WriteValue(long key, Span<byte> destination)
        {
            if (++_written == 2)
                Pacer.WaitUntil(MonotonicClock.NowNs() + SlownessNs);
            LastWritten = MonotonicClock.NowNs();
            return _plain.WriteValue(key, destination);
        }
    }
}
