using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class HistogramDecoderTests
{
    private const int HeaderLength = 40;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Decode_OfAnEncodingCutAnywhere_SaysThatItIsNone(bool isCompressed)
    {
        var encoded = Encoded(isCompressed);
        for (var length = 0; length < encoded.Length; length++)
        {
            var cut = encoded[..length];
            Should.Throw<HistogramFormatException>(() => HistogramDecoder.Decode(cut), $"{length} bytes");

            // Also where the length is patched to agree.
            if (length >= 8)
            {
                var start = isCompressed ? 8 : HeaderLength;
                BinaryPrimitives.WriteInt32BigEndian(cut.AsSpan(4), length - start);
                ShouldBeAHistogramOrNone(cut);
                if (isCompressed)
                    Should.Throw<HistogramFormatException>(() => HistogramDecoder.Decode(cut), $"{length} bytes");
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Decode_OfAnEncodingWithAnyByteChanged_GivesAHistogramOrSaysThatItIsNone(bool isCompressed)
    {
        var encoded = Encoded(isCompressed);
        for (var index = 0; index < encoded.Length; index++)
        {
            foreach (var change in (byte[])[0x01, 0x80, 0xFF])
            {
                var changed = (byte[])encoded.Clone();
                changed[index] ^= change;
                ShouldBeAHistogramOrNone(changed);
            }
        }
    }

    [Fact]
    public void Decode_OfAnyBytesBehindACookie_GivesAHistogramOrSaysThatItIsNone() =>
        Prop.ForAll<byte[]>(bytes =>
        {
            foreach (var cookie in (int[])[0x1c849313, 0x1c849314, 0x1c849321, 0x1c849322])
            {
                var hostile = new byte[bytes.Length + 4];
                BinaryPrimitives.WriteInt32BigEndian(hostile, cookie);
                bytes.CopyTo(hostile, 4);
                ShouldBeAHistogramOrNone(hostile);
            }
        }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("the digits", 12, 9)]
    [InlineData("the lowest value", 16, 0x80)]
    [InlineData("the cookie", 0, 0)]
    [InlineData("the length", 4, 0x7F)]
    [InlineData("the ratio", 32, 0x40)]
    [InlineData("the normalizing index", 10, 2)]
    public void Decode_OfAnImpossibleHeader_SaysThatItIsNone(string what, int index, byte value)
    {
        var encoded = Encoded(isCompressed: false);
        encoded[index] = value;

        Should.Throw<HistogramFormatException>(() => HistogramDecoder.Decode(encoded), what);
    }

    [Fact]
    public void Decode_OfCountsThatOverflow_SaysSo() =>
        Should.Throw<HistogramFormatException>(() => HistogramDecoder.Decode(
                Plain([0xFE, .. Enumerable.Repeat((byte)0xFF, 8), 0xFE, .. Enumerable.Repeat((byte)0xFF, 8)])))
            .Message.ShouldContain("2^63");

    [Theory]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF })]
    [InlineData(new byte[] { 0x81, 0x90, 0x04, 0x02 })]
    public void Decode_OfARunOfZerosBeyondTheRange_SaysSo(byte[] counts) =>
        Should.Throw<HistogramFormatException>(() => HistogramDecoder.Decode(Plain(counts)));

    [Fact]
    public void Decode_OfAZipBomb_StopsAtTheLengthInTheHeader()
    {
        var plain = Plain([]);
        BinaryPrimitives.WriteInt32BigEndian(plain.AsSpan(4), 1_000);
        using var zipped = new MemoryStream();
        zipped.Write([0x1c, 0x84, 0x93, 0x14, 0, 0, 0, 0]);
        using (var zlib = new ZLibStream(zipped, CompressionLevel.SmallestSize, leaveOpen: true))
        {
            zlib.Write(plain);
            for (var i = 0; i < 100; i++)
                zlib.Write(new byte[1_000_000]);
        }

        var bomb = zipped.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(bomb.AsSpan(4), bomb.Length - 8);
        var before = GC.GetAllocatedBytesForCurrentThread();
        Should.Throw<HistogramFormatException>(() => HistogramDecoder.Decode(bomb));

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(10_000_000);
    }

    [Fact]
    public void Decode_OfTheOlderEncoding_ReadsItsFixedWords()
    {
        var expected = LatencyHistogram.ForLatency();
        expected.Record(1, 3);
        expected.Record(2, 700);
        byte[] counts = [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 2, 188];
        var plain = Plain(counts);
        BinaryPrimitives.WriteInt32BigEndian(plain, 0x1c849341);

        HistogramDecoder.Decode(plain).ShouldBe(expected);
    }

    [Theory]
    [InlineData("")]
    [InlineData("HIST")]
    [InlineData("no base64!")]
    [InlineData("HISTEwAAAAEAAAAAAAAAAwAAAAAAAAABAAADRjC4oAA/8AAAAAAAAAA")]
    [InlineData("HISTÄ")]
    public void DecodeBase64_OfSomethingElse_SaysThatItIsNone(string base64) =>
        Should.Throw<HistogramFormatException>(() => HistogramDecoder.DecodeBase64(Encoding.UTF8.GetBytes(base64)));

    private static byte[] Encoded(bool isCompressed)
    {
        var histogram = JavaVectors.Named("expected-interval").Filled();
        var encoder = new HistogramEncoder();
        return isCompressed ? encoder.EncodeCompressed(histogram).ToArray() : encoder.Encode(histogram).ToArray();
    }

    private static byte[] Plain(byte[] counts)
    {
        byte[] plain = [.. new HistogramEncoder().Encode(LatencyHistogram.ForLatency())[..HeaderLength], .. counts];
        BinaryPrimitives.WriteInt32BigEndian(plain.AsSpan(4), counts.Length);
        return plain;
    }

    private static void ShouldBeAHistogramOrNone(byte[] encoded)
    {
        try
        {
            HistogramDecoder.Decode(encoded).ShouldNotBeNull();
        }
        catch (HistogramFormatException e)
        {
            e.Message.ShouldNotBeEmpty();
        }
    }
}
