using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Servers that say something else than what they did: each key is in one class, and no delay is made of it.</summary>
public partial class AlteredRepliesTests
{
    private const string Ok = "+OK\r\n";

    [Fact]
    public async Task Run_WhoseSourceRefusesWhatItExecutes_CountsEachKeyOnce()
    {
        await using var pair = await ReplicatedPair.Start();
        var replies = 0;
        using var source = AlteredReplies.Of(
            pair.Primary, "SET", text => text.Contains(Ok, StringComparison.Ordinal) && ++replies % 2 == 0
                ? text.Replace(Ok, "-OOM no\r\n", StringComparison.Ordinal)
                : text);

        var (_, record, text) = await Run(source.Uri, pair.Replica.Uri);

        record.ShouldAccountForAllKeys();
        record.Count("unread").ShouldBe(0, text);
        (record.Count("refused") + record.Count("read")).ShouldBe(record.Count("asked"), text);
        text.ShouldContain("more were read although the source refused them");
    }

    [Fact]
    public async Task Run_WhoseSourceAnswersTwice_ConnectsAnew()
    {
        await using var pair = await ReplicatedPair.Start();
        var replies = 0;
        using var source = AlteredReplies.Of(
            pair.Primary, "SET", text => text.EndsWith(Ok, StringComparison.Ordinal) && Interlocked.Increment(ref replies) == 1
                ? text + Ok
                : text);

        var (_, record, text) = await Run(source.Uri, pair.Replica.Uri);

        record.ShouldAccountForAllKeys();
        text.ShouldContain("the server sent a reply that nobody asked for");
    }

    [Fact]
    public async Task Run_WhoseDestinationAnswersTwice_TakesNoAnswerForAnother()
    {
        await using var pair = await ReplicatedPair.Start();
        var replies = 0;
        using var destination = AlteredReplies.Of(
            pair.Replica, "MGET", text => Interlocked.Increment(ref replies) == 1 ? text + text : text);

        var (_, record, text) = await Run(pair.Primary.Uri, destination.Uri);

        record.ShouldAccountForAllKeys();
        record.Count("overwritten").ShouldBe(0, text);
        text.ShouldContain("the server sent a reply that nobody asked for");
    }

    [Fact]
    public async Task Run_WhoseValuesAreAltered_MakesNoDelaysOfThem()
    {
        await using var pair = await ReplicatedPair.Start();
        var values = 0;
        using var destination = AlteredReplies.Of(pair.Replica, "MGET", text => SentStamp().Replace(
            text, match => Interlocked.Increment(ref values) % 20 == 0 ? $"{match.Groups[1]}1" : match.Value));

        var (code, record, text) = await Run(pair.Primary.Uri, destination.Uri);

        code.ShouldBe(4, text);
        record.ShouldAccountForAllKeys();
        record.Count("overwritten").ShouldBeGreaterThan(10, text);
    }

    private static async Task<(int Code, JsonNode Record, string Text)> Run(
        string source, string destination)
    {
        await using var process = DelayProcess.Start(
            source, destination, "--keys", "500", "--rate", "500", "--warmup", "0", "--deadline", "20s",
            "--wait-interval", "0s");
        var (code, record) = await process.End().End(process);
        return (code, record, process.ToString());
    }

    // Up to the first digit of the last stamp, which then is 36 years late.
    [GeneratedRegex("(rl1(?: [0-9a-f]{16}){3} )[0-9a-f]")]
    private static partial Regex SentStamp();
}
