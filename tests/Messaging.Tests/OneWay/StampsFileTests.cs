using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Messaging.Tests.OneWay;

public sealed class StampsFileTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("stamps-file-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void File_OfManyMessages_HasALineForEach()
    {
        var folder = ResultsFolder.Create(_root, DateTimeOffset.UnixEpoch, "run", "instance");
        using (var file = new StampsFile(folder))
        {
            file.Write(new MessageStamps(ulong.MaxValue, 3, 0, 10, 11, -12, long.MaxValue, long.MinValue));
            for (var i = 1; i < 20_000; i++)
                file.Write(new MessageStamps(7, 0, i, i, i, i, i, i));
            file.Complete();
        }

        var lines = File.ReadAllLines(Path.Combine(folder.Path, StampsFile.Name));
        lines.Length.ShouldBe(20_001);
        lines[0].ShouldBe("stream,consumer,sequence,intended,sent,received,echoed,returned");
        lines[1].ShouldBe("3,18446744073709551615,0,10,11,-12,9223372036854775807,-9223372036854775808");
        lines[^1].ShouldBe("0,7,19999,19999,19999,19999,19999,19999");
    }

    [Fact]
    public void File_ThatWasNotCompleted_KeepsItsPartialNameAndWholeLines()
    {
        var folder = ResultsFolder.Create(_root, DateTimeOffset.UnixEpoch, "run", "instance");
        using (var file = new StampsFile(folder))
        {
            for (var i = 0; i < 10_000; i++)
                file.Write(new MessageStamps(7, 0, i, i, i, i, i, i));
            file.Flush();
        }

        File.Exists(Path.Combine(folder.Path, StampsFile.Name)).ShouldBeFalse();
        var found = ResultsFolder.Find(folder.Path, StampsFile.Name).ShouldNotBeNull();
        File.ReadAllLines(found).Length.ShouldBe(10_001);
    }
}
