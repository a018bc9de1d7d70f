using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Producer.Tests.Measuring;

public class SummaryTextTests
{
    private const int PageWidth = 80;

    [Fact]
    public void Text_OfTwoTargets_ComparesThemWithinEightyColumns()
    {
        var lines = Print(SampleRun.On("very-long-name.redis.example.com:6379", "other-name.redis.example.com:6380"));

        lines.SkipLast(1).ShouldAllBe(line => line.Length <= PageWidth);
        lines.ShouldContain(line => line.Contains("a.rtt-intended", StringComparison.Ordinal)
            && line.Contains("b.rtt-intended", StringComparison.Ordinal));
        lines.ShouldContain("  a is very-long-name.redis.example.com:6379, b is");
    }

    [Fact]
    public void Text_OfOneTarget_ShowsEverySeriesWithinEightyColumns()
    {
        var lines = Print(SampleRun.On("10.0.0.5:6379"));

        lines.SkipLast(1).ShouldAllBe(line => line.Length <= PageWidth);
        var heads = lines.Single(line => line.Contains("network-intended", StringComparison.Ordinal));
        heads.Split("  ", StringSplitOptions.RemoveEmptyEntries).Select(head => head.Trim())
            .ShouldBe(["rtt-intended", "rtt", "network-intended", "network", "residence", "lateness"]);
        RowOf(lines, "p50").ShouldAllBe(cell => cell == "100,008");
        RowOf(lines, "p99.9").ShouldAllBe(cell => cell == "few");
        RowOf(lines, "max").ShouldAllBe(cell => cell == "200,016");
        lines.ShouldContain(line => line.Contains("RTT/2 (assumes that both ways take equally long)"));
    }

    [Fact]
    public void Text_EndsWithALineForScripts() =>
        Print(SampleRun.On("a:1"))[^1].ShouldBe(
            "RESULT role=producer verdict=valid partial=false target=a:1 consumer=eu-2-in-eu-west "
            + "sent=123456789 returned=123456789 lost=0 late=0 "
            + "rtt-intended.p50=100007935 rtt-intended.p99=198049791 "
            + "rtt.p50=100007935 rtt.p99=198049791 exit=0");

    [Fact]
    public void Text_OfTwoTargets_EndsWithBothTargetsFigures()
    {
        var result = Print(SampleRun.On("a:1", "b:2"))[^1];

        result.ShouldContain(" a.sent=123456789 ");
        result.ShouldContain(" b.lost=0 b.late=0 b.rtt-intended.p50=");
    }

    [Fact]
    public void Text_OfAPartialRun_SaysSoFirst() =>
        Print(SampleRun.On("a:1") with { Partial = true, PartialReason = "stopped by a signal" })[0]
            .ShouldBe("VERDICT  VALID, PARTIAL: stopped by a signal");

    [Fact]
    public void Text_OfARunThatLostItsTarget_FitsThePage()
    {
        const string Reason = "source was lost and did not come back: redis://127.0.0.1:21001/0: nobody listens there "
            + "(connection refused); is the server running, and is the port right?";

        var lines = Print(SampleRun.On("a:1") with { Partial = true, PartialReason = Reason });

        lines[..^1].ShouldAllBe(line => line.Length <= 80);
        lines[0].ShouldStartWith("VERDICT  VALID, PARTIAL: source was lost");
        lines[2].ShouldBe("    server running, and is the port right?");
    }

    [Fact]
    public void Text_WithoutAFolder_SaysThatNothingWasWritten() =>
        Print(SampleRun.On("a:1"), folder: null).ShouldContain("  not written");

    private static string[] RowOf(IReadOnlyList<string> lines, string name) =>
        lines.First(line => line.TrimStart().StartsWith($"{name} ", StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)[1..];

    private static string[] Print(RunRecord record, string? folder = "results/night")
    {
        var writer = new StringWriter { NewLine = "\n" };
        new SummaryText(record, folder).WriteTo(writer);
        return writer.ToString().TrimEnd('\n').Split('\n');
    }
}
