using RedisLatency.Fixtures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Summaries;

/// <summary>The answers of real runs, on pages of three widths, as they were looked at (<c>Runs/*/answer.*</c>).</summary>
public sealed class AnswerWidthTests
{
    private static readonly string Runs = RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs");

    public static TheoryData<string, int> Answers =>
    [
        .. from run in (string[])["producer", "load", "delay"]
           from width in (int[])[50, 80, 120]
           select (run, width),
    ];

    [Theory]
    [MemberData(nameof(Answers))]
    public void Answer_IsAsRecorded(string run, int width)
    {
        var folder = Path.Combine(Runs, run);
        var page = new PageText(width);

        new AnswerText(RunRecordReader.Read(folder), folder).WriteTo(page);

        // How the line breaks that names the folder depends on where the checkout is.
        var lines = page.ToString().Split('\n').TakeWhile(line => !line.StartsWith("  results:")).ToList();
        lines.ShouldAllBe(line => line.Length <= width);
        lines.ShouldAllBe(line => !line.Any(char.IsControl));
        var recorded = Path.Combine(folder, $"answer.{width}.txt");
        if (Environment.GetEnvironmentVariable("REDISLATENCY_RECORD_ANSWERS") == "1")
            File.WriteAllText(recorded, string.Join('\n', lines));
        string.Join('\n', lines).ShouldBe(File.ReadAllText(recorded));
    }
}
