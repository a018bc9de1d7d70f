using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>Destinations that cannot be measured together.</summary>
public class WrongDestinationsTests
{
    [Theory]
    [InlineData("127.0.0.1:2 is there twice", "127.0.0.1:2", "redis://127.0.0.1:2/1")]
    [InlineData("there are 2 regions and 1 destinations", "127.0.0.1:2", "--destination-region", "a", "--destination-region", "b")]
    [InlineData("there are 1 regions and 2 destinations", "127.0.0.1:2", "127.0.0.1:3", "--destination-region", "a")]
    [InlineData("no destination is called c (known: 127.0.0.1:2)", "127.0.0.1:2", "--threshold", "delay{destination=c}.p99<1s")]
    [InlineData("lateness is one and has no {destination=a}", "127.0.0.1:2", "--threshold", "lateness{destination=a}.p99<1s")]
    [InlineData("delay has {destination=NAME}, and no shard", "127.0.0.1:2", "--threshold", "delay{shard=a}.p99<1s")]
    public async Task Run_WithAMistake_IsWrongUsage(string message, params string[] words)
    {
        var options = words.SkipWhile(word => !word.StartsWith("--", StringComparison.Ordinal)).ToArray();
        await using var process = DelayProcess.Start("127.0.0.1:1", words[..^options.Length], options);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(message);
    }

    [Fact]
    public async Task Run_ToOneServerByTwoNames_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, [pair.Replica.Uri, $"localhost:{pair.Replica.Port}"]);

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain(
            $"--destination 127.0.0.1:{pair.Replica.Port} and --destination localhost:{pair.Replica.Port} are the same server");
    }

    [Fact]
    public async Task Run_ToAReplicaAndTheSource_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(pair.Primary.Uri, [pair.Replica.Uri, pair.Primary.Uri]);

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain("are the same server");
    }
}
