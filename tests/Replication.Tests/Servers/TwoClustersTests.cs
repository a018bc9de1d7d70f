using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Rendezvous;
using RedisLatency.Server;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>
/// Two clusters that share out their slots differently, and something that copies keys from one to the other.
/// </summary>
public sealed class TwoClustersTests(TwoClustersTests.Clusters clusters) : IClassFixture<TwoClustersTests.Clusters>
{
    [Fact]
    public async Task Run_FromOneToTheOther_MeasuresEveryPairOfShardsThatShareSlots()
    {
        var (source, destination) = clusters.Both;
        await using var copier = new KeyCopier(UrisOf(source), UrisOf(destination));
        await using var process = DelayProcess.Start(
            source.Uri, destination.Uri, "--keys", "80", "--rate", "200", "--warmup", "0", "--deadline", "50s", "--expiry", "2m",
            "--wait-interval", "0");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(80);
        var (from, to) = (NamesOf(source), NamesOf(destination));
        record.Shards().Select(shard => (
            shard["delay"]!["source"]!.GetValue<string>(), shard["delay"]!["destination"]!.GetValue<string>(),
            shard.CountOf("read"))).ShouldBe(
            [(from[0], to[0], 20), (from[1], to[0], 20), (from[1], to[1], 20), (from[2], to[1], 20)]);
    }

    [Fact]
    public async Task Run_ToClustersThatShareOutTheirSlotsDifferently_IsRefusedWithWhatToDo()
    {
        var (source, destination) = clusters.Both;
        await using var process = DelayProcess.Start(source.Uri, [source.Uri, destination.Uri]);

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain("shares out its slots otherwise than --destination");
        process.Errors.ToString().ShouldContain("Run once to each of them, and print both with matrix.");
    }

    [Fact]
    public async Task Read_AtTheOther_ReadsWhatEveryShardOfTheFirstWrote()
    {
        var (source, destination) = clusters.Both;
        await using var copier = new KeyCopier(UrisOf(source), UrisOf(destination));
        await using var reader = RemoteProcess.Read(
            destination.Uri, "--control", source.Uri, "--deadline", "50s", "--run", "clusters");
        await using var writer = RemoteProcess.Write(
            source.Uri, "--keys", "90", "--rate", "200", "--expiry", "2m", "--run", "clusters");

        var (code, record) = await reader.End().End(reader);
        (await writer.End()).ShouldBeOneOf([0, 4], writer.ToString());

        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(90);
        var (from, to) = (NamesOf(source), NamesOf(destination));
        // The middle of the second shard's slots is at the border of the two that read them.
        record.Shards().Select(shard => shard["delay"]!["source"]!.GetValue<string>()).ShouldBe(from);
        record.Shards()[0]["delay"]!["destination"]!.GetValue<string>().ShouldBe(to[0]);
        record.Shards()[2]["delay"]!["destination"]!.GetValue<string>().ShouldBe(to[1]);
        ReasonsOf(record).ShouldContain(
            "Of 4 pairs of shards that share slots 3 have keys, and others none, such as "
            + $"{from[1]} to {to[1]}: give delay write --shards 2 for all.");
    }

    [Fact]
    public async Task Read_OfAWriterThatIsGivenTheOthersSlots_MeasuresEveryPairOfShardsThatShareSlots()
    {
        var (source, destination) = clusters.Both;
        await using var copier = new KeyCopier(UrisOf(source), UrisOf(destination));
        await using var reader = RemoteProcess.Read(
            destination.Uri, "--control", source.Uri, "--deadline", "50s", "--run", "pairs");
        await using var writer = RemoteProcess.Write(
            source.Uri, "--keys", "80", "--rate", "200", "--expiry", "2m", "--run", "pairs",
            "--shards", "2");

        var (code, record) = await reader.End().End(reader);
        (await writer.End()).ShouldBeOneOf([0, 4], writer.ToString());

        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        var (from, to) = (NamesOf(source), NamesOf(destination));
        record.Shards().Select(shard => (
            shard["delay"]!["source"]!.GetValue<string>(), shard["delay"]!["destination"]!.GetValue<string>(),
            shard.CountOf("read"))).ShouldBe(
            [(from[0], to[0], 20), (from[1], to[0], 20), (from[1], to[1], 20), (from[2], to[1], 20)]);
        // A machine that paused is said to have polled coarsely.
        // How busy this machine is, is no part of what is tested.
        ReasonsOf(record).Where(reason => !reason.StartsWith("Polls of", StringComparison.Ordinal)
            && !reason.StartsWith("The machine can have made ", StringComparison.Ordinal)).ShouldBeEmpty();
    }

    [Fact]
    public async Task Read_OfAServerAlone_NeedsItsKeysToBeOfEveryShardAndSaysSo()
    {
        var (_, destination) = clusters.Both;
        using var source = InProcessServer.Start();
        await using var copier = new KeyCopier([Redis(source.Endpoint)], UrisOf(destination));
        await using var refused = RemoteProcess.Read(
            destination.Uri, "--control", source.Endpoint, "--run", "first");
        await using var plain = RemoteProcess.Write(source.Endpoint, "--run", "first", "--duration", "10m");
        (await refused.End()).ShouldBe(3, refused.ToString());
        refused.Errors.ToString().ShouldContain("give delay write --shards 2");
        await plain.EndBy("INT");

        await using var reader = RemoteProcess.Read(
            destination.Uri, "--control", source.Endpoint, "--deadline", "50s", "--run", "second");
        await using var writer = RemoteProcess.Write(
            source.Endpoint, "--keys", "60", "--rate", "200", "--expiry", "2m", "--shards", "2", "--run", "second");
        var (code, record) = await reader.End().End(reader);
        (await writer.End()).ShouldBeOneOf([0, 4], writer.ToString());

        code.ShouldBe(0, reader.ToString());
        record.Count("read").ShouldBe(60);
        record.Shards().Select(shard => shard["delay"]!["destination"]!.GetValue<string>()).ShouldBe(NamesOf(destination));
    }

    [Fact]
    public async Task Read_AtAServerAlone_ReadsWhatEveryShardWrote()
    {
        var (source, _) = clusters.Both;
        using var destination = InProcessServer.Start();
        await using var copier = new KeyCopier(UrisOf(source), [Redis(destination.Endpoint)]);
        await using var reader = RemoteProcess.Read(
            destination.Endpoint, "--control", source.Servers[1].Uri, "--deadline", "50s", "--run", "alone");
        await using var writer = RemoteProcess.Write(
            source.Uri, "--keys", "60", "--rate", "200", "--expiry", "2m", "--run", "alone");

        var (code, record) = await reader.End().End(reader);
        (await writer.End()).ShouldBeOneOf([0, 4], writer.ToString());

        code.ShouldBe(0, reader.ToString());
        record.Shards().Select(shard => shard.CountOf("read")).ShouldBe([20, 20, 20]);
    }

    private static string Redis(string endpoint) => endpoint.Contains("://", StringComparison.Ordinal) ? endpoint : $"redis://{endpoint}";

    private static IEnumerable<string> ReasonsOf(JsonNode record) =>
        record["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>());

    private static string[] UrisOf(RedisClusterProcesses cluster) => [.. cluster.Servers.Select(server => server.Uri)];

    private static string[] NamesOf(RedisClusterProcesses cluster) => [.. cluster.Servers.Select(SharedCluster.Named)];

    /// <summary>Three shards, and two, without replicas.</summary>
    public sealed class Clusters : IAsyncLifetime
    {
        private Task<RedisClusterProcesses[]>? _both;

        /// <summary>Both; the test is skipped where there is no server.</summary>
        internal (RedisClusterProcesses Source, RedisClusterProcesses Destination) Both =>
            _both!.GetAwaiter().GetResult() is [var source, var destination] ? (source, destination) : default;

        public async ValueTask InitializeAsync()
        {
            _both = Task.WhenAll(
                RedisClusterProcesses.Start(new RedisClusterOptions { ReplicasPerPrimary = 0 }),
                RedisClusterProcesses.Start(new RedisClusterOptions { Primaries = 2, ReplicasPerPrimary = 0 }));
            await Task.WhenAny(_both);
        }

        public async ValueTask DisposeAsync()
        {
            if (_both is not { IsCompletedSuccessfully: true })
                return;
            await Both.Source.DisposeAsync();
            await Both.Destination.DisposeAsync();
        }
    }
}
