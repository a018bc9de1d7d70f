using System.Buffers.Binary;
using System.Text;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Consumer.Tests.Serving;

/// <summary>Whatever strangers send, a Consumer writes its record, which can be read.</summary>
public sealed class HostileFramesTests
{
    private const int EchoInstanceOffset = 80;

    private static readonly long[] Numbers =
    [
        0, 1, -1, 1L << 32, FrameLayout.MaxSequence - 1, FrameLayout.MaxSequence, FrameLayout.MaxSequence + 1,
        (1L << 53) + 1, 1L << 62, long.MaxValue - 1, long.MaxValue, long.MinValue,
    ];

    private static readonly double[] Rates =
        [0, -1, 1, 999_999, 1e6, 1e300, double.NaN, double.PositiveInfinity, double.Epsilon];

    [Fact]
    public async Task TwoFramesWithTheHighestSequence_CostNothing()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        using (var peer = new Peer(server))
        {
            for (var producer = 1UL; producer <= 2; producer++)
            {
                foreach (var kind in new[] { MessageKind.Message, MessageKind.End })
                    peer.Send(Frame(producer, kind, FrameFlags.NoEcho, long.MaxValue, 1, 1, []));
            }

            peer.ExpectNothingBut("7");
        }

        (await consumer.EndBy("INT")).ShouldBe(130, consumer.ToString());

        var record = ConsumerTest.RecordOf(consumer);
        ConsumerTest.SummaryOf(record, ServedRecord.Everything).Count(Counted.Corrupted).ShouldBe(4);
        ConsumerTest.SummaryOf(record, ServedRecord.PlainCounts).Count(Counted.Received).ShouldBe(1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task FramesOfAnyContent_LeaveARecordThatCanBeRead(int seed)
    {
        var random = new Random(seed);
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--threshold", "lost<1%");
        using (var peer = new Peer(server))
        {
            peer.Send(Frame(9, MessageKind.Hello, FrameFlags.None, 0, 1, 1, []));
            var instance = BinaryPrimitives.ReadUInt64LittleEndian(peer.Receive().AsSpan(EchoInstanceOffset));
            for (var i = 0; i < 3_000; i++)
                peer.Send(AnyFrame(random, instance));
            // What came before it has been taken, but for answers of which nobody knows how many there are.
            peer.Send("7");
            while (Encoding.ASCII.GetString(peer.Receive()) != "7")
            {
            }
        }

        var exitCode = await consumer.EndBy("INT");

        exitCode.ShouldBeOneOf([4, 99, 130], consumer.ToString());
        var record = ConsumerTest.RecordOf(consumer);
        record.PartialReason.ShouldBeNull();
        ConsumerTest.SummaryOf(record, ServedRecord.Everything).Count(Counted.Echoed).ShouldNotBeNull();
        RunRecordReader.Parse("again", RunRecordWriter.Serialize(record, [])).Summaries.Count
            .ShouldBe(record.Summaries.Count);
    }

    private static byte[] AnyFrame(Random random, ulong instance)
    {
        var kind = (MessageKind)random.Next(0, 7);
        var flags = (FrameFlags)random.Next(0, 16);
        byte[] payload = kind switch
        {
            MessageKind.Offset => AnyOffset(random, instance),
            MessageKind.Hello => Encoding.UTF8.GetBytes(
                $$"""{"run":"{{new string('x', random.Next(300))}}","role":"producer","instance":"\u001b[1m","region":"","version":"9"}"""),
            _ => [],
        };
        var frame = Frame(
            (ulong)random.Next(1, 6), kind, flags, Any(random), Any(random), Any(random), payload);
        if (random.Next(20) == 0)
            frame[random.Next(frame.Length)] ^= (byte)random.Next(256);
        return frame;
    }

    // Half of them such as can be.
    private static byte[] AnyOffset(Random random, ulong instance)
    {
        var windows = Enumerable.Range(0, random.Next(0, 4)).Select(_ => random.Next(2) == 0
            ? new PublishedWindow(
                Any(random), Any(random), Any(random), Any(random), Any(random), Rates[random.Next(Rates.Length)],
                Rates[random.Next(Rates.Length)], OffsetBreak.None, true)
            : new PublishedWindow(
                0, long.MaxValue, random.NextInt64(), Any(random), Any(random) & long.MaxValue,
                random.Next(-999_999, 999_999), random.Next(999_999), OffsetBreak.None, random.Next(2) == 0)).ToArray();
        var payload = new byte[OffsetPayload.MaxLength];
        return payload[..OffsetPayload.Write(payload, instance, random.Next(2) == 0, windows)];
    }

    private static long Any(Random random) => random.Next(3) switch
    {
        0 => Numbers[random.Next(Numbers.Length)],
        1 => random.Next(1, 50),
        _ => random.NextInt64(),
    };

    private static byte[] Frame(
        ulong producer, MessageKind kind, FrameFlags flags, long sequence, long intended, long sent, byte[] payload)
    {
        var frame = new FrameBuffer(run: 5, producer, stream: 0, payload.Length);
        frame.SetPayload(payload);
        frame.Stamp(kind, flags, sequence, intended, sent);
        return frame.Bytes.ToArray();
    }
}
