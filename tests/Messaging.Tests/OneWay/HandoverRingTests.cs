using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Messaging.Tests.OneWay;

public sealed class HandoverRingTests
{
    [Fact]
    public void Take_WhileAnotherThreadAppends_GivesEveryValueOnceInOrderAndWhole()
    {
        const int Values = 2_000_000;
        var ring = new HandoverRing<MessageStamps>(1 << 10);
        var writer = new Thread(() =>
        {
            for (long i = 1; i <= Values;)
            {
                if (ring.TryAppend(new MessageStamps((ulong)i, i, i, i, i, i, i, i)))
                    i++;
                else
                    Thread.Yield();
            }
        });
        writer.Start();

        var buffer = new MessageStamps[300];
        var expected = 1L;
        while (expected <= Values)
        {
            var count = ring.Take(buffer);
            if (count == 0)
                Thread.Yield();
            foreach (var stamps in buffer.AsSpan(0, count))
            {
                var whole = new MessageStamps(
                    (ulong)expected, expected, expected, expected, expected, expected, expected, expected);
                if (stamps != whole)
                    stamps.ShouldBe(whole);
                expected++;
            }
        }

        writer.Join();
        ring.Take(buffer).ShouldBe(0);
    }

    [Fact]
    public void TryAppend_ToAFullRing_CountsAndKeepsWhatIsThere()
    {
        var ring = new HandoverRing<long>(4);
        for (var i = 0; i < 10; i++)
            ring.TryAppend(i).ShouldBe(i < 4);

        ring.Overflowed.ShouldBe(6);
        var buffer = new long[10];
        ring.Take(buffer).ShouldBe(4);
        buffer.AsSpan(0, 4).ToArray().ShouldBe([0, 1, 2, 3]);
        ring.TryAppend(11).ShouldBeTrue();
        ring.Take(buffer).ShouldBe(1);
        buffer[0].ShouldBe(11);
    }

    [Fact]
    public void Ring_InUse_AllocatesNothing()
    {
        var ring = new StampRing(64);
        var buffer = new MessageStamps[32];
        Use(ring, buffer);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000; i++)
            Use(ring, buffer);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Theory]
    [InlineData(1, 1, 4_096)]
    [InlineData(100_000, 1, 262_144)]
    [InlineData(100_000, 2, 524_288)]
    [InlineData(10_000_000, 4, 1_048_576)]
    public void Ring_ForARate_HoldsTwoSecondsWithinBounds(double rate, int consumers, int capacity) =>
        StampRing.ForRate(rate, consumers).Capacity.ShouldBe(capacity);

    private static void Use(StampRing ring, MessageStamps[] buffer)
    {
        for (var i = 0; i < 40; i++)
            ring.TryAppend(new MessageStamps(1, 0, i, i, i, i, i, i));
        while (ring.Take(buffer) > 0)
        {
        }
    }
}
