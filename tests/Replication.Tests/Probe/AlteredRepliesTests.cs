using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Servers that say something else than what they did: each key is in one class, and no delay is made of it.</summary>
public partial class AlteredRepliesTests
{
    private const string Ok = "+OK\r\n";
    // More than a reader needs to look at its server; a busy machine polls only a few times in a run.
    private const int PollsToLook = 3;

    private const string AskedByNobody =
        "1 times the server said what it was not asked for: replies before that may have been taken for those of other "
            + "commands.";

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

        var (code, record, text) = await Run(source.Uri, pair.Replica.Uri);

        code.ShouldBe(4, text);
        record.ShouldAccountForAllKeys();
        text.ShouldContain("source: the server sent a reply that nobody asked for");
        record["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>()).ShouldContain(AskedByNobody);
    }

    [Fact]
    public async Task Run_WhoseDestinationAnswersTwice_TakesNoAnswerForAnother()
    {
        await using var pair = await ReplicatedPair.Start();
        var replies = 0;
        using var destination = AlteredReplies.Of(
            pair.Replica, "MGET", text => Interlocked.Increment(ref replies) == 1 ? text + text : text, PollsToLook);

        var (code, record, text) = await Run(pair.Primary.Uri, destination.Uri);

        code.ShouldBe(4, text);
        record.ShouldAccountForAllKeys();
        record.Count("overwritten").ShouldBe(0, text);
        text.ShouldContain("destination: the server sent a reply that nobody asked for");
        record["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>()).ShouldContain(AskedByNobody);
    }

    [Fact]
    public async Task Run_WhoseValuesAreAltered_MakesNoDelaysOfThem()
    {
        await using var pair = await ReplicatedPair.Start();
        var values = 0;
        using var destination = AlteredReplies.Of(pair.Replica, "MGET", text => SentStamp().Replace(
            text, match => Interlocked.Increment(ref values) % 20 == 0 ? $"{match.Groups[1]}1" : match.Value), PollsToLook);

        var (code, record, text) = await Run(pair.Primary.Uri, destination.Uri);

        code.ShouldBe(4, text);
        record.ShouldAccountForAllKeys();
        record.Count("overwritten").ShouldBeGreaterThan(10, text);
    }

    [Fact]
    public async Task Run_WhoseDestinationAnswersNothingThatWasAsked_BacksOffAndEndsAfterTheReconnectTimeout()
    {
        await using var pair = await ReplicatedPair.Start();
        using var destination = NeverRight(pair.Replica, Polled(), "*0\r\n");
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, destination.Uri, "--duration", "10m", "--rate", "200", "--warmup", "0",
            "--reconnect-timeout", "2s", "--watch-interval", "0");

        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        record.ShouldAccountForAllKeys();
        process.ToString().ShouldContain("was lost and gave no right answer since: ");
        ConnectionsOf(pair.Replica).ShouldBeLessThan(100, process.ToString());
    }

    [Fact]
    public async Task Run_WhoseSourceAnswersNothingThatWasAsked_BacksOffAndEndsAfterTheReconnectTimeout()
    {
        await using var pair = await ReplicatedPair.Start();
        using var source = NeverRight(pair.Primary, Set(), ":1\r\n");
        await using var process = DelayProcess.Start(
            source.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "1k", "--warmup", "0",
            "--reconnect-timeout", "2s", "--watch-interval", "0", "--wait-interval", "0", "--deadline", "1s");

        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        record.ShouldAccountForAllKeys();
        process.ToString().ShouldContain("was lost and gave no right answer since: ");
        ConnectionsOf(pair.Primary).ShouldBeLessThan(100, process.ToString());
    }

    [Theory]
    [InlineData("--warmup", "0")]
    [InlineData("--continuous")]
    public async Task Run_WhoseDestinationAnswersNothingThatWasAsked_EndsAtTheFirstSignal(params string[] options)
    {
        await using var pair = await ReplicatedPair.Start();
        using var destination = NeverRight(pair.Replica, Polled(), "*0\r\n");
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, destination.Uri, ["--reconnect-timeout", "1h", .. options]);

        await process.Errors.WaitFor("destination: connected to ");
        var (code, record) = await process.EndBy("TERM").End(process);

        code.ShouldBe(5, process.ToString());
        record.EventKinds().ShouldContain("wrong-answer");
    }

    // Once so many were right. What it is asked beside it answers.
    private static FakeServer NeverRight(RedisServerProcess server, Regex answer, string wrong)
    {
        var right = 0;
        return AlteredReplies.Of(
            server, text => answer.IsMatch(text) && Interlocked.Increment(ref right) > 50 ? wrong : text);
    }

    private static long ConnectionsOf(RedisServerProcess server)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        return long.Parse(
            Connections().Match(connection.Execute("INFO", "stats").Text).Groups[1].Value, CultureInfo.InvariantCulture);
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

    [GeneratedRegex("^(\\*[0-9]+\r\n)?(\\$-1|_|\\$[0-9]+\r\nrl1 )")]
    private static partial Regex Polled();

    [GeneratedRegex("^\\+OK\r\n")]
    private static partial Regex Set();

    [GeneratedRegex("total_connections_received:([0-9]+)")]
    private static partial Regex Connections();

    // Up to the first digit of the last stamp, which then is 36 years late.
    [GeneratedRegex("(rl1(?: [0-9a-f]{16}){3} )[0-9a-f]")]
    private static partial Regex SentStamp();
}
