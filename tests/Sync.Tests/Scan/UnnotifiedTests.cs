using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Scan;

/// <summary>Changes of a followed source that nothing notifies of.</summary>
public sealed class UnnotifiedTests
{
    [Fact]
    public async Task Scan_ThatFollows_SaysWhatIsNotFollowed()
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "AE"]);
        await using var process = await Follow(pair);

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString().ShouldMatch(
            "What nothing notifies of is not followed: VADD, .*XACK, .*XNACK, XREADGROUP");
    }

    [Fact]
    public async Task Scan_OfASourceThatDoesNotNotifyOfKeysOfModules_IsRefused()
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "Eg$lshzxet"]);

        (await SyncProcess.Refusal("scan", pair.Source.Uri, pair.Target.Uri, 3, "--follow", "--on-existing", "rewrite"))
            .ShouldContain("CONFIG SET notify-keyspace-events AE");
        pair.From.Execute("CONFIG", "SET", "notify-keyspace-events", "Eg$lshzxetd");
        await using var process = await Follow(pair);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    private static async Task<ServiceProcess> Follow(SyncPair pair)
    {
        pair.From.Execute("SET", "first", "1");
        var process = SyncProcess.Start(
            "scan", pair.Source.Uri, pair.Target.Uri, "--follow", "--on-existing", "rewrite");
        await process.Until("the scan is over", () => KeyContents.CountIn(pair.To) == 1);
        return process;
    }
}
