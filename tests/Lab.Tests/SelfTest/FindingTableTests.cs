using RedisLatency.Lab.SelfTest;

namespace RedisLatency.Lab.Tests.SelfTest;

public class FindingTableTests
{
    [Fact]
    public void Table_OfShortWords_HasALineForEach() =>
        Text(new Finding("lost", "5", "5", true), new Finding("grade", "C or D", "A", false)).ShouldBe(
            "               planted  reported\n"
            + "  PASS  lost         5         5\n"
            + "  MISS  grade   C or D         A\n");

    [Fact]
    public void Table_OfLongWords_StaysWithinThePageAndKeepsAllOfThem()
    {
        var text = Text(new Finding(
            "something that needs far more words than there is room for in a line of eighty",
            "between thirteen and sixteen milliseconds, both included",
            "-921.0 µs ± 34.17 ms and the rest of what was said",
            true));

        text.Split('\n').ShouldAllBe(line => line.Length <= 80);
        text.ShouldContain("eighty");
        text.ShouldContain("included");
        text.ShouldContain("was said");
    }

    private static string Text(params Finding[] findings)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        new FindingTable(findings).WriteTo(writer);
        return writer.ToString();
    }
}
