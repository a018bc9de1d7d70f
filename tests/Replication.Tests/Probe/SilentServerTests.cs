using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A server that reports nothing of itself, as many a proxy does.</summary>
public class SilentServerTests
{
    private static readonly string[] WithoutInfo = ["--rename-command", "INFO", ""];

    [Theory]
    [InlineData("source", "auto")]
    [InlineData("source", "2")]
    [InlineData("destination", "auto")]
    [InlineData("destination", "2")]
    public async Task Run_WithAnEndWithoutInfo_MeasuresAllTheSameAndSaysWhatItCouldNotSee(string end, string protocol)
    {
        await using var pair = await ReplicatedPair.Start(
            ofPrimary: end == "source" ? WithoutInfo : [], ofReplica: end == "source" ? [] : WithoutInfo);
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "100", "--rate", "200", "--warmup", "0", "--deadline", "20s",
            "--protocol", protocol);

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(100);
        record["metrics"]!.AsObject().ContainsKey("lag-bytes").ShouldBeFalse("it takes the offsets of both ends");
        record["events"]!.AsArray().Select(happened => happened!["text"]!.GetValue<string>()).ShouldContain(
            text => text.StartsWith($"{end}: does not report its state: ERR unknown command", StringComparison.Ordinal));
        record.Series("wait")["count"]!.GetValue<long>().ShouldBeGreaterThan(0);
    }
}
