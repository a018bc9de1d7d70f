using System.Diagnostics;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Redis.Tests.StackExchange;

public sealed class ReceiveQueueTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Enqueue_FromSeveralThreads_LosesNothingAndKeepsEachOnesOrder()
    {
        const int writers = 3;
        const int each = 50_000;
        using var queue = new ReceiveQueue(1024);
        var next = new long[writers];
        var overflowed = 0L;
        var tasks = Enumerable.Range(0, writers).Select(writer => Task.Factory.StartNew(
            () => Write(queue, writer, each), TaskCreationOptions.LongRunning)).ToArray();

        var deadline = After(Limit);
        while (next.Sum() + overflowed < writers * each && Stopwatch.GetTimestamp() < deadline)
        {
            overflowed += queue.TakeOverflowed();
            if (!queue.TryDequeue(out var writer, out _, out var number))
            {
                queue.Wait(After(TimeSpan.FromSeconds(1)));
                continue;
            }

            number.ShouldBeGreaterThanOrEqualTo(next[writer]);
            next[writer]++;
        }

        await Task.WhenAll(tasks);
        (next.Sum() + overflowed + queue.TakeOverflowed()).ShouldBe(writers * each);
    }

    [Fact]
    public void Enqueue_IntoAFullQueue_CountsWhatDoesNotFitAndKeepsWhatWasThere()
    {
        using var queue = new ReceiveQueue(4);
        for (var number = 0; number < 7; number++)
            queue.Enqueue(0, [], number);

        queue.TakeOverflowed().ShouldBe(3);
        queue.TakeOverflowed().ShouldBe(0);
        for (var number = 0; number < 4; number++)
        {
            queue.TryDequeue(out _, out _, out var taken).ShouldBeTrue();
            taken.ShouldBe(number);
        }

        queue.TryDequeue(out _, out _, out _).ShouldBeFalse();
    }

    [Fact]
    public void Signals_SetBeforeTheWait_LetItThroughAtOnce()
    {
        foreach (var create in (Func<WakeSignal>[])[() => new PortableSignal(), WakeSignal.Create])
        {
            using var signal = create();
            var started = Stopwatch.GetTimestamp();
            signal.Set();
            signal.Wait(After(Limit));
            Stopwatch.GetElapsedTime(started).ShouldBeLessThan(Limit / 2);
        }
    }

    [Fact]
    public async Task Signals_SetFromAnotherThread_EndTheWait()
    {
        foreach (var create in (Func<WakeSignal>[])[() => new PortableSignal(), WakeSignal.Create])
        {
            using var signal = create();
            var started = Stopwatch.GetTimestamp();
            var setting = Task.Run(signal.Set, TestContext.Current.CancellationToken);
            signal.Wait(After(Limit));
            Stopwatch.GetElapsedTime(started).ShouldBeLessThan(Limit / 2);
            await setting;
        }
    }

    [Fact]
    public void Signals_SetAfterTheyAreDisposed_DoNothing()
    {
        foreach (var create in (Func<WakeSignal>[])[() => new PortableSignal(), WakeSignal.Create])
        {
            var signal = create();
            signal.Dispose();
            Should.NotThrow(signal.Set);
        }
    }

    private static void Write(ReceiveQueue queue, int writer, int count)
    {
        for (var number = 0; number < count; number++)
            queue.Enqueue(writer, [], number);
    }

    private static long After(TimeSpan time) =>
        Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
}
