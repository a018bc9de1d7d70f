using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Components;
using Microsoft.AspNetCore.Components.Web;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>Runs as one page of HTML: no network, and no script is needed to read it.</summary>
public static class RunPage
{
    /// <summary>What the live page may load and run: its own script and no other, and its own events.</summary>
    public static string LivePolicy { get; } =
        $"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{HashOf(LiveScript)}'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'";

    private static string Style => Resource("page.css");
    private static string LiveScript => Resource("page.js") + Resource("live.js");

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

    /// <summary>Writes a page that changes while it is looked at, as <c>events</c> beside it tells.</summary>
    /// <param name="writer">UTF-8 is what the page says that it is.</param>
    /// <param name="run">The run.</param>
    /// <param name="state">Whether the page goes on, in a sentence.</param>
    /// <param name="footer">Who made the page.</param>
    public static Task WriteLiveAsync(TextWriter writer, PageRun run, string state, string footer) =>
        Render<RunDocument>(writer, new()
        {
            [nameof(RunDocument.Title)] = run.Title.Length > 0 ? run.Title : run.Answer,
            [nameof(RunDocument.Runs)] = new[] { run },
            [nameof(RunDocument.Style)] = StyleOf(run.Charts.Concat(run.OtherCharts)),
            [nameof(RunDocument.Script)] = LiveScript,
            [nameof(RunDocument.Footer)] = footer,
            [nameof(RunDocument.State)] = state,
            [nameof(RunDocument.Policy)] = LivePolicy,
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

    private static string HashOf(string script) =>
        Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(script)));

    private static string Resource(string name)
    {
        using var stream = typeof(RunPage).Assembly.GetManifestResourceStream(name)!;
        return new StreamReader(stream).ReadToEnd();
    }
}
