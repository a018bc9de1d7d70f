using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Microsoft.AspNetCore.Components;
using Microsoft.AspNetCore.Components.Web;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>Runs as one page of HTML: no network, and no script is needed to read it.</summary>
public static class RunPage
{
    private static string Style => Resource("page.css");

    /// <summary>Writes the page.</summary>
    /// <param name="writer">UTF-8 is what the page says that it is.</param>
    /// <param name="runs">In the order in which they are shown.</param>
    /// <param name="regions">What lies between regions by its heading, above the runs.</param>
    /// <param name="footer">Who made the page.</param>
    public static Task WriteAsync(
        TextWriter writer,
        IReadOnlyList<PageRun> runs,
        IReadOnlyList<(string Heading, IReadOnlyList<Section> Sections)> regions,
        string footer) =>
        Render<RunDocument>(writer, new()
        {
            [nameof(RunDocument.Title)] = runs.Count == 1 ? runs[0].Title
                : string.Create(CultureInfo.InvariantCulture, $"{runs.Count} runs"),
            [nameof(RunDocument.Runs)] = runs,
            [nameof(RunDocument.Regions)] = regions,
            [nameof(RunDocument.Style)] = StyleOf(runs.SelectMany(run => run.Charts.Concat(run.OtherCharts))),
            [nameof(RunDocument.Script)] = Resource("page.js"),
            [nameof(RunDocument.Footer)] = footer,
        });

    /// <summary>Writes how two groups of runs compare.</summary>
    public static Task WriteAsync(TextWriter writer, ComparedRuns runs, string footer) =>
        Render<CompareDocument>(writer, new()
        {
            [nameof(CompareDocument.Runs)] = runs,
            [nameof(CompareDocument.Style)] = StyleOf(runs.Curves is { } curves ? [curves] : []),
            [nameof(CompareDocument.Script)] = Resource("page.js"),
            [nameof(CompareDocument.Footer)] = footer,
        });

    private static async Task Render<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)] TDocument>(
        TextWriter writer, Dictionary<string, object?> parameters)
        where TDocument : IComponent
    {
        await using var services = new ServiceCollection().BuildServiceProvider();
        await using var renderer = new HtmlRenderer(services, NullLoggerFactory.Instance);
        await renderer.Dispatcher.InvokeAsync(async () =>
            (await renderer.RenderComponentAsync<TDocument>(ParameterView.FromDictionary(parameters)))
                .WriteHtmlTo(writer));
    }

    // A box that is not ticked hides the line of its number.
    private static string StyleOf(IEnumerable<Chart> charts) => string.Concat(
        Enumerable.Range(0, charts.Select(chart => chart.Lines.Count).DefaultIfEmpty().Max()).Select(line =>
            string.Create(
                CultureInfo.InvariantCulture,
                $".chart:has(.s{line}:not(:checked)) .l{line} {{ display: none; }}\n"))
        .Prepend(Style));

    private static string Resource(string name)
    {
        using var stream = typeof(RunPage).Assembly.GetManifestResourceStream(name)!;
        return new StreamReader(stream).ReadToEnd();
    }
}
