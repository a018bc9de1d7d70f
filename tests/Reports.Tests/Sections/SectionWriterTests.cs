using Microsoft.AspNetCore.Components;
using Microsoft.AspNetCore.Components.Web;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Tests.Sections;

/// <summary>Text, Markdown, HTML and CSV are of the same section, whatever somebody named a thing in it.</summary>
public sealed class SectionWriterTests
{
    /// <summary>A pipe, a tag, an entity, a comma, a quote, a link, a line end, an escape and a bidi override.</summary>
    private const string Hostile = "a|b <img src=x> &lt; ,\"q\" [l](u) `c` \\ *s*\nnext\u001b[31m\u202Ereversed";

    private static readonly string[] Cells = ["plain", Hostile, "1,234", "few"];

    private static readonly Section Sample = new Section($"HEADING {Hostile}")
        .Add(new Table("name", "what", "n", "p99").Add(Cells))
        .Add($"a note: {Hostile}");

    [Fact]
    public async Task EachWriter_WritesAllOfIt_InOrder()
    {
        foreach (var written in new[] { Text(Sample), Markdown(Sample), await Html(Sample) })
        {
            var places = new[] { "HEADING", "p99", "plain", "1,234", "few", "a note" }
                .Select(part => written.IndexOf(part, StringComparison.Ordinal)).ToList();
            places.ShouldNotContain(-1, written);
            places.ShouldBeInOrder(SortDirection.Ascending, written);
        }
    }

    [Fact]
    public async Task WhatSomebodyNamed_BeginsNoLine_MovesNoCursorAndTurnsNothingRound()
    {
        foreach (var written in new[] { Text(Sample), Markdown(Sample), await Html(Sample) })
        {
            written.ShouldNotContain("\u001b");
            written.ShouldNotContain("\u202E");
            written.Split('\n').ShouldNotContain(line => line.StartsWith("next", StringComparison.Ordinal), written);
        }
    }

    [Fact]
    public void InMarkdown_ItIsNoMarkup_AndNoCell()
    {
        var written = Markdown(Sample);

        written.ShouldNotContain("<img");
        foreach (var line in written.Split('\n').Where(line => line.StartsWith('|')))
            line.Replace("\\\\", "", StringComparison.Ordinal).Replace("\\|", "", StringComparison.Ordinal)
                .Count(letter => letter == '|').ShouldBe(5, line);
        written.ShouldContain("\\[l](u) \\`c\\` \\\\ \\*s\\*");
    }

    [Fact]
    public async Task InHtml_ItIsNoElement() => (await Html(Sample)).ShouldNotContain("<img");

    [Fact]
    public void InCsv_ItIsOneCell_AsItWas()
    {
        using var writer = new StringWriter { NewLine = "\n" };

        SectionCsv.Write(writer, Sample.Tables.Single());

        var quoted = Hostile.Replace("\"", "\"\"", StringComparison.Ordinal);
        writer.ToString().ShouldBe($"name,what,n,p99\nplain,\"{quoted}\",\"1,234\",few\n");
    }

    [Fact]
    public void ValuesForPrograms_HaveNoUnitAndAtMostThreeDecimals_AndWhatIsNotKnownIsEmpty() =>
        new Table("a", "b", "c", "d", "e").AddValues(true, 1234567L, 0.12345, null, "x").Rows.Single()
            .ShouldBe(["true", "1234567", "0.123", "", "x"]);

    /// <summary>The answer is what is left of the same section: never another one.</summary>
    [Fact]
    public void Answer_IsWhatTheFilterLeaves()
    {
        var table = new Table("", "rtt", "lateness") { Columns = [Extent.Both, Extent.Both, Extent.Details] }
            .Add("p50", "1", "few")
            .Add(Extent.Details, "p99", "few", "few");
        var section = new Section("ROUND TRIP")
            .Add(table)
            .Add(new Legend([table], cell => cell == "few", "few: too few"))
            .Add("a detail", Extent.Details);

        Text([.. new[] { section }.In(Extent.Answer)]).ShouldBe("ROUND TRIP\n       rtt\n  p50    1\n");
        Text([.. new[] { section }.In(Extent.Details)]).ShouldBe(
            "ROUND TRIP\n       rtt  lateness\n  p50    1       few\n  p99  few       few\n"
            + "  few: too few\n  a detail\n");
        new Section("HEADING", Extent.Details).Within(Extent.Answer).In(Extent.Answer).ShouldBeNull();
    }

    private static string Text(params Section[] sections)
    {
        using var writer = new PageText(Pages.MostWidth);
        SectionText.Write(writer, sections);
        return writer.ToString();
    }

    private static string Markdown(Section section)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        SectionMarkdown.Write(writer, section);
        return writer.ToString();
    }

    private static async Task<string> Html(Section section)
    {
        await using var services = new ServiceCollection().BuildServiceProvider();
        await using var renderer = new HtmlRenderer(services, NullLoggerFactory.Instance);
        return await renderer.Dispatcher.InvokeAsync(async () =>
            (await renderer.RenderComponentAsync<SectionHtml>(ParameterView.FromDictionary(
                new Dictionary<string, object?> { [nameof(SectionHtml.Data)] = section }))).ToHtmlString());
    }
}
