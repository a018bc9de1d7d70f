using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.Tests.Frames;

public sealed class FrameTests
{
    private const ulong Run = 0x1122334455667788;
    private const ulong Producer = 0x99aabbccddeeff01;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(FrameLayout.MaxPayloadLength)]
    public void Read_OfWhatWasStamped_GivesEveryField(int payloadLength)
    {
        var frame = Stamped(payloadLength, out var payload);

        FrameReader.Read(frame, out var header).ShouldBe(FrameDefect.None);

        header.Kind.ShouldBe(MessageKind.Message);
        header.Flags.ShouldBe(FrameFlags.WarmUp);
        header.Stream.ShouldBe(7);
        header.Run.ShouldBe(Run);
        header.Producer.ShouldBe(Producer);
        header.Sequence.ShouldBe(42);
        header.Intended.ShouldBe(1_000);
        header.Sent.ShouldBe(1_001);
        header.IsEcho.ShouldBeFalse();
        FrameReader.Payload(frame).SequenceEqual(payload).ShouldBeTrue();
    }

    [Fact]
    public void Frame_LiesInBytesAsDocumented()
    {
        var frame = Stamped(2, out _);

        frame.Length.ShouldBe(90);
        Convert.ToHexStringLower(frame.AsSpan(0, 56)).ShouldBe(
            "524c4154" + "01" + "01" + "0100" + "5800" + "0700" + "02000000" + "8877665544332211" + "01ffeeddccbbaa99"
            + "2a00000000000000" + "e803000000000000" + "e903000000000000");
        frame.AsSpan(60, 28).IndexOfAnyExcept((byte)0).ShouldBe(-1);
    }

    [Fact]
    public void Checksum_IsCrc32C()
    {
        // The check value of CRC-32C in every catalogue of checksums.
        FrameChecksum.Compute("123456789"u8).ShouldBe(0xE3069283u);
    }

    [Fact]
    public void Echo_KeepsTheProducersFieldsAndAddsTheConsumers()
    {
        var frame = Stamped(10, out _);

        FrameEcho.Stamp(frame, instance: 5, received: 2_000, echoed: 2_500);

        FrameReader.Read(frame, out var header).ShouldBe(FrameDefect.None);
        header.Sent.ShouldBe(1_001);
        header.Received.ShouldBe(2_000);
        header.Residence.ShouldBe(500);
        header.EchoInstance.ShouldBe(5ul);
        header.IsEcho.ShouldBeTrue();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_OfAnySingleFlippedBit_NeverGivesAMessage(bool isEcho)
    {
        var frame = Stamped(3, out _);
        if (isEcho)
            FrameEcho.Stamp(frame, 5, 2_000, 2_500);

        for (var bit = 0; bit < frame.Length * 8; bit++)
        {
            var damaged = frame.ToArray();
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            FrameReader.Read(damaged, out _).ShouldNotBe(FrameDefect.None, $"bit {bit}");
        }
    }

    [Fact]
    public void Read_OfEveryTruncation_NeverGivesAMessage()
    {
        var frame = Stamped(5, out _);
        for (var length = 0; length < frame.Length; length++)
            FrameReader.Read(frame.AsSpan(0, length), out _).ShouldNotBe(FrameDefect.None, $"{length} bytes");
    }

    [Fact]
    public void Read_OfSomebodyElsesMessage_SaysForeign()
    {
        FrameReader.Read("12345"u8, out _).ShouldBe(FrameDefect.Foreign);
        FrameReader.Read("hello, world"u8, out _).ShouldBe(FrameDefect.Foreign);
        FrameReader.Read([], out _).ShouldBe(FrameDefect.Foreign);
    }

    [Fact]
    public void Read_OfAnotherProtocolVersion_SaysSo()
    {
        var frame = Stamped(0, out _);
        frame[4] = 2;
        FrameReader.Read(frame, out _).ShouldBe(FrameDefect.OtherVersion);
    }

    [Theory]
    [InlineData(0, FrameDefect.Malformed)]
    [InlineData(5, FrameDefect.None)]
    [InlineData(6, FrameDefect.None)]
    [InlineData(7, FrameDefect.Malformed)]
    public void Read_OfAKind_KnowsThoseThereAre(byte kind, FrameDefect defect)
    {
        var frame = new FrameBuffer(Run, Producer, 0, 0);
        frame.Stamp((MessageKind)kind, FrameFlags.None, 0, 0, 0);
        FrameReader.Read(frame.Bytes, out _).ShouldBe(defect);
    }

    [Fact]
    public void Stamp_AllocatesNothing()
    {
        var frame = new FrameBuffer(Run, Producer, 0, 100);
        frame.Stamp(MessageKind.Message, FrameFlags.None, 0, 0, 0);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 10_000; i++)
        {
            frame.Stamp(MessageKind.Message, FrameFlags.None, i, i, i);
            FrameReader.Read(frame.Bytes, out _);
        }

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    private static byte[] Stamped(int payloadLength, out byte[] payload)
    {
        payload = new byte[payloadLength];
        new Random(1).NextBytes(payload);
        var frame = new FrameBuffer(Run, Producer, 7, payloadLength);
        frame.SetPayload(payload);
        frame.Stamp(MessageKind.Message, FrameFlags.WarmUp, 42, 1_000, 1_001);
        return frame.Bytes.ToArray();
    }
}
