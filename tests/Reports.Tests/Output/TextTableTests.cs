using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Tests.Output;

public sealed class TextTableTests
{
    [Fact]
    public void Table_AlignsNamesLeftAndNumbersRight() => Render(
        new TextTable("RTT, µs", "min", "p50", "max")
            .Add("from intended send", "38.20", "45.31", "1,000,123")
            .Add("from actual send", "38.20"))
        .ShouldBe(
            """
              RTT, µs               min    p50        max
              from intended send  38.20  45.31  1,000,123
              from actual send    38.20

            """);

    [Fact]
    public void TableWiderThanThePage_ContinuesBelowAndCutsNothing()
    {
        var text = Render(new TextTable(["name", .. Enumerable.Range(0, 12).Select(i => $"column-{i:00}")])
            .Add(["row", .. Enumerable.Range(0, 12).Select(i => $"{i}")]));

        var lines = text.Split('\n');
        lines.ShouldAllBe(line => line.Length <= Pages.UsualWidth);
        lines.Count(line => line.StartsWith("  row", StringComparison.Ordinal)).ShouldBe(2);
        Enumerable.Range(0, 12).ShouldAllBe(i => text.Contains($"column-{i:00}"));
    }

    [Fact]
    public void OneColumn_IsAList() => Render(new TextTable("files").Add("run.json")).ShouldBe("  files\n  run.json\n");

    [Fact]
    public void TooManyCells_AreRefused() =>
        Should.Throw<ArgumentException>(() => new TextTable("a", "b").Add("1", "2", "3"));

    private static string Render(TextTable table)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        table.WriteTo(writer);
        return writer.ToString();
    }
}
