using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Servers that are out of memory and evict the keys that are measured.</summary>
public class EvictionTests
{
    [Fact]
    public async Task Run_WhoseDestinationEvictsKeys_CallsThemMissingThereAndSaysSo()
    {
        await using var pair = await ReplicatedPair.Start(
            ofReplica: ["--replica-ignore-maxmemory", "no", "--maxmemory-policy", "allkeys-random"]);
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0", "--deadline", "500ms");
        await Eventually.Is("keys arrive", () => Number(pair.Replica, "DBSIZE") > 20);

        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "maxmemory", "1");
        await process.Errors.WaitFor("destination: evicted keys");
        var atSource = Number(pair.Primary, "DBSIZE");
        await Eventually.Is("further keys are written", () => Number(pair.Primary, "DBSIZE") > atSource + 20);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBeGreaterThan(10);
        record.Count("missing").ShouldBeGreaterThan(10);
        record.Keys()["missingAtSource"]!.GetValue<long>().ShouldBe(0, "they are at the source");
        record.EventKinds().ShouldContain("evicted");
    }

    [Fact]
    public async Task Run_WhoseSourceEvictsKeysBeforeTheyAreRead_CallsThemMissingAtBothEnds()
    {
        await using var pair = await ReplicatedPair.Start(ofPrimary: ["--maxmemory-policy", "allkeys-lru"]);
        var room = Field(pair.Primary, "memory", "used_memory") + (4 << 20);
        ReplicatedPair.Execute(pair.Primary, "CONFIG", "SET", "maxmemory", room.ToString(CultureInfo.InvariantCulture));
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "200", "--warmup", "0", "--deadline", "2s",
            "--value-size", "64KiB", "--command-timeout", "60s");
        await Eventually.Is("keys arrive", () => Number(pair.Replica, "DBSIZE") > 20);

        // What is evicted meanwhile comes and goes at once when the replica goes on.
        pair.Replica.Pause();
        var before = Evicted();
        await Eventually.Is("keys are evicted", () => Evicted() > before + 150);
        pair.Replica.Resume();
        await Eventually.Is(
            "the replica has caught up",
            () => Field(pair.Primary, "replication", "master_repl_offset")
                - Field(pair.Replica, "replication", "slave_repl_offset") < 1 << 20);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBeGreaterThan(10);
        record.Keys()["missingAtSource"]!.GetValue<long>().ShouldBeGreaterThan(0);
        record.Keys()["missingAtSource"]!.GetValue<long>().ShouldBeLessThanOrEqualTo(record.Count("missing"));
        record.EventKinds().ShouldContain("evicted");
        process.Errors.ToString().ShouldContain("source: evicted keys");

        long Evicted() => Field(pair.Primary, "stats", "evicted_keys");
    }

    private static long Number(RedisServerProcess server, string command) =>
        long.Parse(ReplicatedPair.Execute(server, command), CultureInfo.InvariantCulture);

    private static long Field(RedisServerProcess server, string section, string name) => long.Parse(
        ReplicatedPair.Execute(server, "INFO", section).Split('\n')
            .Single(line => line.StartsWith($"{name}:", StringComparison.Ordinal))[(name.Length + 1)..],
        CultureInfo.InvariantCulture);
}
