using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;
using RedisLatency.Sync.Tests.Sources;

namespace RedisLatency.Sync.Tests.Targets;

/// <summary>--empty-destination: a target is emptied for a data set, and for nothing else.</summary>
public sealed class EmptiedTargetTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("emptied").FullName;

    [Theory]
    [InlineData("rdb", "These are the notes of the meeting.\n", 5)]
    [InlineData("rdb", "REDIS0011", 5)]
    [InlineData("rdb", "", 5)]
    [InlineData("aof", "These are the notes of the meeting.\n", 5)]
    [InlineData("aof", "", 4)]
    public async Task Target_KeepsItsKeys_WhereTheFileIsNone(string verb, string content, int exitCode)
    {
        await using var target = await RedisServerProcess.Start();
        using var client = SourceServers.Open(target);
        client.Execute("SET", "key", "1");
        var file = Path.Combine(_folder, "file");
        await File.WriteAllTextAsync(file, content, SourceServers.Cancellation);

        await using var process = SyncProcess.StartFile(verb, file, target.Uri, "--empty-destination");
        (await process.End()).ShouldBe(exitCode, process.ToString());

        client.Execute("EXISTS", "key").Number.ShouldBe(1);
    }

    [Theory]
    [InlineData("scan")]
    [InlineData("rdb")]
    [InlineData("sync", "--no-stream")]
    public async Task Target_IsEmptied_ForADataSetOfNoKeys(string verb, params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        pair.To.Execute("SET", "key", "1");
        pair.From.Execute("SAVE");
        string[] source = verb == "rdb"
            ? [verb, Path.Combine(pair.Source.Folder, "dump.rdb")] : [verb, "--source", pair.Source.Uri];

        await using var process = ServiceProcess.Start(
            "Sync",
            [
                .. source, "--destination", pair.Target.Uri, "--empty-destination", "--format", "json", "--live",
                "none", .. arguments,
            ]);
        var (code, _) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        KeyContents.CountIn(pair.To).ShouldBe(0);
    }

    // Nobody knows whose the keys are that such a run leaves.
    [Fact]
    public async Task RunThatWasKilledWithinTheDataSet_IsRefused_AndBeginsAgainWhereItMayEmptyTheTarget()
    {
        await using var pair = await SyncPair.Start();
        KeyContents.Write(pair.From);
        await using (var killed = pair.Sync("--rate", "10"))
        {
            await killed.Until("some are there", () => pair.To.Execute("DBSIZE").Number > 2);
            killed.Signal("KILL");
            await killed.End();
        }

        (await SyncProcess.Refusal("sync", pair.Source.Uri, pair.Target.Uri, 3)).ShouldContain(
            "what a run left that was killed before its checkpoint, begin again with --empty-destination");
        await SyncProcess.Run(
            "sync", pair.Source.Uri, pair.Target.Uri, 0, "--no-stream", "--empty-destination");
        KeyContents.CountIn(pair.To).ShouldBe(KeyContents.CountIn(pair.From));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
