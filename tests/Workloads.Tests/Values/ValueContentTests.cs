using System.IO.Compression;
using System.Text;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Tests.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Tests.Values;

public class ValueContentTests
{
    public static TheoryData<string> All =>
        new("constant", "redis-benchmark", "ycsb", "random", "compressible:4", "deterministic");

    [Fact]
    public void Constant_IsMemtiersX() => Encoding.UTF8.GetString(Value("constant", 32)).ShouldBe(new string('x', 32));

    [Fact]
    public void RedisBenchmark_IsItsSequence()
    {
        Encoding.UTF8.GetString(Value("redis-benchmark", 3)).ShouldBe("VXK");
        Encoding.UTF8.GetString(Value("redis-benchmark", 100)).ShouldBe(
            "VXKeHogKgJ=[5V9_X^b?48OKF2jGA<f:iR@50o7dS3JV4Q6L68lC[GTA]0DaMg?_oSmcS2^N1J?ELSX@CfKQ7cM5aea\\ngY8a3LG");
    }

    // What site.ycsb.RandomByteIterator of YCSB 0.18 makes of these ints.
    [Theory]
    [InlineData(0u, "202020202020")]
    [InlineData(1u, "212020202020")]
    [InlineData(uint.MaxValue, "3F5F7F3F5F7F")]
    [InlineData(0x12345678u, "385335284329")]
    [InlineData(0x80000000u, "202020202060")]
    [InlineData(0x7FFFFFFFu, "3F5F7F3F5F3F")]
    [InlineData(987654321u, "31253A3C4D3D")]
    public void Ycsb_MakesOfAnIntWhatYcsbMakes(uint word, string bytes)
    {
        var six = BitConverter.GetBytes(YcsbContent.Printable(word))[..6];

        Convert.ToHexString(six).ShouldBe(bytes);
    }

    [Fact]
    public void Ycsb_OfEveryLength_IsPrintableAndTakesEveryFormOfSix()
    {
        for (var length = 0; length <= 50; length++)
            Value("ycsb", length).ShouldAllBe(value => value >= 32 && value <= 127, $"length {length}");

        // 32, 64, 64, 32, 64, 64: what the masks 31, 63 and 95 leave.
        var seen = Enumerable.Range(0, 6).Select(_ => new HashSet<byte>()).ToArray();
        var bytes = Value("ycsb", 60_000);
        for (var index = 0; index < bytes.Length; index++)
            seen[index % 6].Add(bytes[index]);
        seen.Select(values => values.Count).ShouldBe([32, 64, 64, 32, 64, 64]);
    }

    [Fact]
    public void Random_IsNewForEveryRequest_AndEven()
    {
        var source = Source("random", 64);
        var random = new RandomSource(1);
        var values = new HashSet<string>();
        var counts = new long[256];
        var value = new byte[64];
        for (var request = 0; request < 5000; request++)
        {
            source.Fill(7, random, value);
            values.Add(Convert.ToHexString(value)).ShouldBeTrue();
            foreach (var one in value)
                counts[one]++;
        }

        ChiSquare.ShouldFollow(counts, _ => 1.0 / 256);
    }

    [Theory]
    [InlineData(1, 100)]
    [InlineData(1.5, 100)]
    [InlineData(2, 100)]
    [InlineData(4, 160)]
    [InlineData(10, 400)]
    [InlineData(30, 1200)]
    [InlineData(1.5, 1024)]
    [InlineData(4, 1024)]
    [InlineData(10, 1024)]
    [InlineData(2, 4096)]
    [InlineData(10, 4096)]
    [InlineData(30, 4096)]
    [InlineData(4, 65_536)]
    [InlineData(10, 65_536)]
    [InlineData(30, 65_536)]
    public void Compressible_ReallyCompressesToItsRatio(double ratio, int length)
    {
        var source = Source(FormattableString.Invariant($"compressible:{ratio}"), length);
        var random = new RandomSource(2);
        using var compressed = new MemoryStream();
        var values = Math.Max(1, 400_000 / length);
        using (var deflate = new DeflateStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
        {
            var value = new byte[length];
            for (var key = 0; key < values; key++)
            {
                source.Fill(key, random, value);
                deflate.Write(value);
            }
        }

        ((double)values * length / compressed.Length / ratio).ShouldBe(1, 0.05);
    }

    // Computed by another program from the documented definition: the bytes are a format, other versions check them.
    [Theory]
    [InlineData(0, "FAD52BB0903418ED")]
    [InlineData(1, "22886E6F2128EA2D017A54D4D79666966887DCD8")]
    [InlineData(7_679_999_999, "62C015973911F4BCD49D9DEB")]
    public void Deterministic_IsItsDocumentedSequence(long key, string bytes)
    {
        var value = new byte[bytes.Length / 2];
        Source("deterministic", value.Length).Fill(key, new RandomSource(5), value);

        Convert.ToHexString(value).ShouldBe(bytes);
    }

    [Theory]
    [InlineData("constant")]
    [InlineData("redis-benchmark")]
    [InlineData("deterministic")]
    public void Verify_OfWhatWasWritten_Holds_AndFindsEveryFlippedBit(string content)
    {
        for (var length = 0; length <= 33; length++)
        {
            var source = Source(content, length);
            source.CanVerify.ShouldBeTrue();
            var value = new byte[length];
            source.Fill(12, new RandomSource(1), value);
            Source(content, length).Verify(12, value).ShouldBeTrue();
            for (var bit = 0; bit < length * 8; bit++)
            {
                value[bit / 8] ^= (byte)(1 << (bit % 8));
                source.Verify(12, value).ShouldBeFalse($"bit {bit} of {length} bytes");
                value[bit / 8] ^= (byte)(1 << (bit % 8));
            }
        }
    }

    [Fact]
    public void Verify_OfAnotherKeysValue_OrOneThatWasCut_Fails()
    {
        var source = new ValueSource(ValueSize.Parse("8..100"), ValueContent.Parse("deterministic"));
        var value = new byte[100];
        source.Fill(1, new RandomSource(1), value);

        source.Verify(1, value).ShouldBeTrue();
        source.Verify(2, value).ShouldBeFalse();
        for (var length = 0; length < 100; length++)
            source.Verify(1, value.AsSpan(0, length)).ShouldBeFalse($"cut to {length}");
    }

    [Fact]
    public void Verify_OfALengthThatIsNeverWritten_Fails()
    {
        var source = new ValueSource(ValueSize.Parse("8..16"), ValueContent.Parse("constant"));

        source.Verify(1, "xxxxxxx"u8).ShouldBeFalse();
        source.Verify(1, "xxxxxxxx"u8).ShouldBeTrue();
        source.Verify(1, "xxxxxxxxxxxxxxxxx"u8).ShouldBeFalse();
    }

    [Theory]
    [InlineData("ycsb", false)]
    [InlineData("random", false)]
    [InlineData("compressible:2", false)]
    [InlineData("deterministic", true)]
    public void CanVerify_SaysWhetherAReadCanBeChecked(string content, bool can)
    {
        var source = Source(content, 100);

        source.CanVerify.ShouldBe(can);
        source.IsConstant.ShouldBeFalse();
        var value = Value(content, 100);
        source.Verify(7, value).ShouldBeTrue();
    }

    [Theory]
    [InlineData("constant", "100", true)]
    [InlineData("redis-benchmark", "100", true)]
    [InlineData("constant", "10..100", false)]
    [InlineData("deterministic", "100", false)]
    public void IsConstant_OnlyWhereLengthAndBytesNeverChange(string content, string size, bool isConstant) =>
        new ValueSource(ValueSize.Parse(size), ValueContent.Parse(content)).IsConstant.ShouldBe(isConstant);

    [Theory]
    [MemberData(nameof(All))]
    public void Fill_AllocatesNothing_AndWritesNothingBeyondItsSpan(string content)
    {
        var source = Source(content, 1000);
        var random = new RandomSource(1);
        var buffer = new byte[1002];
        source.Fill(1, random, buffer.AsSpan(1, 1000));

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var length = 0; length <= 1000; length++)
        {
            source.Fill(length, random, buffer.AsSpan(1, length));
            source.Verify(length, buffer.AsSpan(1, length));
        }

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
        (buffer[0], buffer[^1]).ShouldBe(((byte)0, (byte)0));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Constant")]
    [InlineData("constant:x")]
    [InlineData("compressible")]
    [InlineData("lz4:2")]
    public void Problem_OfAnUnknownContent_NamesThemAll(string text)
    {
        ValueContent.Problem(text).ShouldBe(
            "a content is needed: constant, redis-benchmark, ycsb, random, deterministic or compressible with its "
            + "ratio, for instance compressible:4");
        Should.Throw<FormatException>(() => ValueContent.Parse(text));
    }

    [Theory]
    [InlineData("compressible:")]
    [InlineData("compressible:0.5")]
    [InlineData("compressible:31")]
    [InlineData("compressible:NaN")]
    [InlineData("compressible:2:1")]
    public void Problem_OfARatioOutOfRange_NamesTheRange(string text) =>
        ValueContent.Problem(text).ShouldNotBeNull().ShouldContain("is not a ratio from 1 (incompressible) to 30");

    private static ValueSource Source(string content, int length) =>
        new(ValueSize.Parse($"{length}"), ValueContent.Parse(content));

    private static byte[] Value(string content, int length)
    {
        var value = new byte[length];
        Source(content, length).Fill(7, new RandomSource(3), value);
        return value;
    }
}
