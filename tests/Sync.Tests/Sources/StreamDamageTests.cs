using System.Globalization;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Sources;

public sealed class StreamDamageTests
{
    private const string Stream =
        "*2\r\n$6\r\nSELECT\r\n$1\r\n2\r\n*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"
        + "*1\r\n$4\r\nEXEC\r\n*1\r\n$4\r\nPING\r\n*5\r\n$4\r\nMSET\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\nb\r\n$12\r\n"
        + "123456789012\r\n*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n";

    private const string Data = "REDIS0010\xfe\0\0\u0001k\u0001v\xff\0\0\0\0\0\0\0\0";

    // Bytes that mean something are as likely as all others together.
    private static readonly Gen<(ushort At, byte To)[]> Changes = Gen.ArrayOf(Gen.Zip(
        ArbMap.Default.GeneratorFor<ushort>(),
        Gen.OneOf(Gen.Elements("*$0123456789-\r\n#TS:"u8.ToArray()), ArbMap.Default.GeneratorFor<byte>()))
        .Select(pair => (pair.Item1, pair.Item2)));

    [Fact]
    public void Stream_ThatIsDamagedOrCut_GivesCommandsOrAnErrorWithItsOffset() => Check(
        Stream,
        (bytes, cut) =>
        {
            var batch = new SyncBatch();
            var stream = new CommandStream(batch);
            stream.StartAt(1000, 0);
            try
            {
                foreach (var piece in new[] { bytes[..cut], bytes[cut..] })
                {
                    stream.Buffer.Append(piece);
                    while (stream.TryTake())
                    {
                    }
                }
            }
            catch (RedisProtocolException problem)
            {
                problem.Message.ShouldContain($"at offset {stream.Offset}: ");
            }

            stream.Offset.ShouldBeInRange(1000, 1000 + bytes.Length);
            stream.SettledOffset.ShouldBeInRange(1000, stream.Offset);
        });

    [Theory]
    [InlineData("#TS:1700000000\r\n" + Stream)]
    [InlineData(Data + Stream)]
    public void Aof_ThatIsDamagedOrCut_GivesCommandsOrAnErrorThatNamesIt(string whole)
    {
        var file = Path.GetTempFileName();
        try
        {
            Check(
                whole,
                (bytes, cut) =>
                {
                    File.WriteAllBytes(file, bytes[..cut]);
                    ReadFile(() => new AofFileReader(file, new()));
                });
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void Rdb_ThatIsDamagedOrCut_GivesKeysOrAnErrorThatNamesIt()
    {
        var file = Path.GetTempFileName();
        try
        {
            Check(
                Data,
                (bytes, cut) =>
                {
                    File.WriteAllBytes(file, bytes[..cut]);
                    ReadFile(() => new RdbFileReader(file, new()));
                });
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static void ReadFile(Func<ISyncReader> open)
    {
        using var sink = new TargetSink(target: null);
        using var stop = new StopSignal();
        try
        {
            using var reader = open();
            reader.Read(sink, stop);
        }
        catch (RedisException problem) when (problem is RedisProtocolException or RdbException)
        {
            problem.Message.ShouldContain("offset");
        }
    }

    // Within a second, and in little memory, whatever lengths the bytes claim.
    private static void Check(string whole, Action<byte[], int> read) => Prop.ForAll(
        Gen.Zip(Changes, ArbMap.Default.GeneratorFor<ushort>()).ToArbitrary(),
        damage =>
        {
            var bytes = Encoding.Latin1.GetBytes(whole);
            foreach (var (at, to) in damage.Item1.Take(4))
                bytes[at % bytes.Length] = to;
            var began = ProcessorTime();
            var before = GC.GetAllocatedBytesForCurrentThread();
            read(bytes, damage.Item2 % (bytes.Length + 1));
            (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(4 << 20);
            (ProcessorTime() - began).ShouldBeLessThan(TimeSpan.FromSeconds(1));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(1000));

    // Of this thread: a machine that runs all tests pauses for a second itself.
    private static TimeSpan ProcessorTime() => TimeSpan.FromMicroseconds(
        long.Parse(File.ReadAllText("/proc/thread-self/schedstat").Split(' ')[0], CultureInfo.InvariantCulture) / 1000.0);
}
