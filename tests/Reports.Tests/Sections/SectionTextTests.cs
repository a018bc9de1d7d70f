using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Tests.Sections;

public sealed class SectionTextTests
{
    [Fact]
    public void Table_AlignsNamesLeftAndNumbersRight() => Render(
        new Table("RTT, µs", "min", "p50", "max")
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
        var text = Render(new Table(["name", .. Enumerable.Range(0, 12).Select(i => $"column-{i:00}")])
            .Add(["row", .. Enumerable.Range(0, 12).Select(i => $"{i}")]));

        var lines = text.Split('\n');
        lines.ShouldAllBe(line => line.Length <= Pages.UsualWidth);
        lines.Count(line => line.StartsWith("  row", StringComparison.Ordinal)).ShouldBe(2);
        Enumerable.Range(0, 12).ShouldAllBe(i => text.Contains($"column-{i:00}"));
    }

    [Fact]
    public void OneColumn_IsAList() => Render(new Table("files").Add("run.json")).ShouldBe("  files\n  run.json\n");

    [Fact]
    public void TooManyCells_AreRefused() =>
        Should.Throw<ArgumentException>(() => new Table("a", "b").Add("1", "2", "3"));

    private static string Render(Table table)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        SectionText.Write(writer, new Section().Add(table));
        return writer.ToString();
    }
}
