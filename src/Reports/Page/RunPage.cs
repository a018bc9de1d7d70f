using System.Globalization;
using Microsoft.AspNetCore.Components;
using Microsoft.AspNetCore.Components.Web;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Reports.Matrix;

namespace RedisLatency.Reports.Page;

/// <summary>Runs as one page of HTML: no network, and no script is needed to read it.</summary>
public static class RunPage
{
    /// <summary>Writes the page.</summary>
    /// <param name="writer">UTF-8 is what the page says that it is.</param>
    /// <param name="runs">In the order in which they are shown.</param>
    /// <param name="matrix">The delays between regions, above the runs; null where there are none.</param>
    /// <param name="footer">Who made the page.</param>
    public static async Task WriteAsync(
        TextWriter writer, IReadOnlyList<PageRun> runs, DelayMatrix? matrix, string footer)
    {
        await using var services = new ServiceCollection().BuildServiceProvider();
        await using var renderer = new HtmlRenderer(services, NullLoggerFactory.Instance);
        var parameters = ParameterView.FromDictionary(new Dictionary<string, object?>
        {
            [nameof(RunDocument.Title)] = runs.Count == 1 ? runs[0].Title
                : string.Create(CultureInfo.InvariantCulture, $"{runs.Count} runs"),
            [nameof(RunDocument.Runs)] = runs,
            [nameof(RunDocument.Matrix)] = matrix is null ? null : new MatrixTable(matrix).ToTable(),
            [nameof(RunDocument.Style)] = Resource("page.css"),
            [nameof(RunDocument.Script)] = Resource("page.js"),
            [nameof(RunDocument.Footer)] = footer,
        });
        await renderer.Dispatcher.InvokeAsync(async () =>
            (await renderer.RenderComponentAsync<RunDocument>(parameters)).WriteHtmlTo(writer));
    }

    private static string Resource(string name)
    {
        using var stream = typeof(RunPage).Assembly.GetManifestResourceStream(name)!;
        return new StreamReader(stream).ReadToEnd();
    }
}
