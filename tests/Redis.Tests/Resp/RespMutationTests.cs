using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Resp;

public sealed class RespMutationTests
{
    private static readonly byte[] Interesting = "+-:$*_#,(!=%~>|\r\n0123456789?tfx\0\xff"u8.ToArray();

    /// <summary>
    /// Whatever comes, a reader gives values or one kind of error, and takes little more memory than came.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void MutatedReplies_GiveValuesOrAProtocolError_InBoundedMemory(int seed)
    {
        var random = new Random(seed);
        var samples = RespReaderTests.WellFormed.Select(row => Encoding.Latin1.GetBytes(row.Data.Item1)).ToArray();
        for (var round = 0; round < 10_000; round++)
        {
            var bytes =
                Mutate(random, [.. samples[random.Next(samples.Length)], .. samples[random.Next(samples.Length)]]);
            var before = GC.GetAllocatedBytesForCurrentThread();
            Read(random, bytes);
            (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(64 << 10);
        }
    }

    private static void Read(Random random, byte[] bytes)
    {
        var reader = new RespReader();
        try
        {
            for (var position = 0; position < bytes.Length;)
            {
                var piece = Math.Min(bytes.Length - position, random.Next(1, 20));
                reader.Feed(bytes.AsSpan(position, piece));
                position += piece;
                while (reader.TryReadValue(out _))
                {
                }
            }
        }
        catch (RedisProtocolException)
        {
        }
    }

    private static byte[] Mutate(Random random, List<byte> bytes)
    {
        for (var i = random.Next(1, 5); i > 0 && bytes.Count > 1; i--)
        {
            var at = random.Next(bytes.Count);
            switch (random.Next(4))
            {
                case 0:
                    bytes[at] = Interesting[random.Next(Interesting.Length)];
                    break;
                case 1:
                    bytes.Insert(at, Interesting[random.Next(Interesting.Length)]);
                    break;
                case 2:
                    bytes.RemoveAt(at);
                    break;
                default:
                    bytes.RemoveRange(at, bytes.Count - at);
                    break;
            }
        }

        return [.. bytes];
    }
}
