using System.Diagnostics;
using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Clocks;

/// <summary>A consumer in another language, that of the frame's page, whose stamps are no clock's.</summary>
public sealed class GarbageStampsTests : PairTest
{
    private const string Fence = "```";
    private const string Stamps = "received, time.monotonic_ns(), ME";

    [Theory]
    [InlineData("time.monotonic_ns(), received - 1000000, ME", "stamps that no clock can give")]
    [InlineData("1 + received // 10**6 % 2 * 10**12, 2 + received // 10**6 % 2 * 10**12, ME", "probes contradict")]
    [InlineData("(received * 7919) % 10**15, (received * 7919) % 10**15 + 10, ME", "probes contradict")]
    public async Task Echoes_WithSuchStamps_AreCountedAndOneWayIsGradedF(string garbage, string reason)
    {
        var program = Path.Combine(Server.Folder, "consumer.py");
        await File.WriteAllTextAsync(program, Example(garbage), TestContext.Current.CancellationToken);
        using var consumer = Process.Start(
            ServerRequirement.Require("python3"), [program, Server.Port.ToString(CultureInfo.InvariantCulture)]);
        try
        {
            var run = await Measure(
                "--consumer", "required", "--rate", "500", "--iterations", "1000", "--warmup", "0");

            run.Count(Counted.Returned).ShouldBe(1_000);
            run.Merged("rtt").TotalCount.ShouldBe(1_000);
            var pair = run.Summary.OneWay.ShouldHaveSingleItem();
            pair.Grade.ShouldBe(OneWayGrade.F);
            pair.Headline.ShouldBe(OneWayHeadline.RoundTrip);
            pair.Reasons.ShouldContain(said => said.Contains(reason, StringComparison.Ordinal), string.Join('\n', pair.Reasons));
        }
        finally
        {
            consumer.Kill();
        }
    }

    private static string Example(string garbage)
    {
        var page = File.ReadAllText(RepositoryRoot.Combine("docs", "frame.md"));
        var example = page.Split($"{Fence}python\n").Skip(1)
            .Select(rest => rest[..rest.IndexOf(Fence, StringComparison.Ordinal)])
            .Single(text => text.Contains("RLAT", StringComparison.Ordinal));
        example.Split(Stamps).Length.ShouldBe(2);
        return example.Replace(Stamps, garbage, StringComparison.Ordinal);
    }
}
