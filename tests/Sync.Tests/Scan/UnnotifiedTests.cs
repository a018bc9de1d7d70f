using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Scan;

/// <summary>Changes of a followed source that nothing notifies of.</summary>
public sealed class UnnotifiedTests
{
    [Fact]
    public async Task Scan_OfGroups_WhoseEntriesWereAcknowledged_IsDoubtful()
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "AE"]);
        await using var process = await Follow(pair, pair.Source.Uri);

        pair.From.Execute("XGROUP", "CREATE", "stream", "group", "$", "MKSTREAM");
        pair.From.Execute("XADD", "stream", "1-1", "f", "v");
        pair.From.Execute("XREADGROUP", "GROUP", "group", "one", "STREAMS", "stream", ">");
        pair.From.Execute("XACK", "stream", "group", "1-1").Number.ShouldBe(1);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("carried out XACK, XREADGROUP, of which nothing notifies");
    }

    // As servers have them that count these commands; what was carried out is as long in letters.
    [Theory]
    [InlineData("XACKDEL", "PERSIST", "k")]
    [InlineData("XDELEX", "STRLEN", "k")]
    [InlineData("XNACK", "HVALS", "k")]
    [InlineData("VADD", "HLEN", "k")]
    public async Task Scan_OfASourceThatCarriesOut_WhatNewerServersDoNotNotifyOf_IsDoubtful(
        string name, params string[] command)
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "AE"]);
        using var newer = AlteredReplies.Of(pair.Source, text => text.Replace(
            $"cmdstat_{command[0].ToLowerInvariant()}:", $"cmdstat_{name.ToLowerInvariant()}:"));
        await using var process = await Follow(pair, newer.Uri);

        pair.From.Execute(command);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain($"carried out {name}, of which nothing notifies");
    }

    [Fact]
    public async Task Scan_OfASourceThatDoesNotNotifyOfKeysOfModules_IsRefused()
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "Eg$lshzxet"]);

        (await SyncProcess.Refusal("scan", pair.Source.Uri, pair.Target.Uri, 3, "--follow", "--on-existing", "rewrite"))
            .ShouldContain("CONFIG SET notify-keyspace-events AE");
        pair.From.Execute("CONFIG", "SET", "notify-keyspace-events", "Eg$lshzxetd");
        await using var process = await Follow(pair, pair.Source.Uri);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    private static async Task<ServiceProcess> Follow(SyncPair pair, string source)
    {
        pair.From.Execute("SET", "first", "1");
        var process = SyncProcess.Start("scan", source, pair.Target.Uri, "--follow", "--on-existing", "rewrite");
        await process.Until("the scan is over", () => KeyContents.CountIn(pair.To) == 1);
        return process;
    }
}
