using System.Diagnostics;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Page;

namespace RedisLatency.Tool.Report;

/// <summary>Pictures of charts, as the system's Chromium draws them: one PNG for each chart of a run.</summary>
internal sealed class ChartPictures
{
    private const int LongestName = 60;

    private static readonly string[] Browsers =
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(1);

    // Twice as many dots as the chart is wide and high, so that it is sharp in a document.
    private static readonly string[] Arguments =
    [
        "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--force-device-scale-factor=2",
        "--window-size=1000,560",
    ];

    private readonly string _browser = Find() ?? throw new ConfigurationException(
        $"--format png: none of {string.Join(", ", Browsers)} is on the PATH (on Debian: apt-get install chromium)");

    /// <summary>Draws the charts of a run into a folder.</summary>
    /// <returns>An exit code; what cannot be drawn is printed.</returns>
    public async Task<int> Draw(PageRun run, string folder, string name, StandardOutput output)
    {
        var code = ExitCode.Valid;
        var charts = run.Charts.Select(chart => (
            chart.Title, Write: (Func<TextWriter, Task>)(writer => RunPage.WriteAsync(writer, chart, run.Answer))));
        if (run.Heat is { } heat)
            charts = charts.Append((heat.Title, writer => RunPage.WriteAsync(writer, heat, run.Answer)));
        foreach (var (title, write) in charts)
        {
            var file = Path.Combine(folder, $"{name}-{NameOf(title)}.png");
            if (await Draw(file, write) is { } problem)
            {
                new Diagnostics().WriteLine($"{file} cannot be drawn: {problem}");
                code = ExitCode.ResultsNotWritten;
            }
            else
            {
                output.WriteLine(file);
            }
        }

        return code;
    }

    private static string? Find() => Browsers
        .SelectMany(name => (Environment.GetEnvironmentVariable("PATH") ?? string.Empty)
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Select(folder => Path.Combine(folder, OperatingSystem.IsWindows() ? $"{name}.exe" : name)))
        .FirstOrDefault(File.Exists);

    private static string NameOf(string title)
    {
        var words = new string([.. title.ToLowerInvariant()
            .Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-')]).Split(
            '-', StringSplitOptions.RemoveEmptyEntries);
        var name = string.Join('-', words);
        return name.Length <= LongestName ? name : name[..LongestName];
    }

    private async Task<string?> Draw(string file, Func<TextWriter, Task> write)
    {
        var scratch = Directory.CreateTempSubdirectory("redis-latency-chart-").FullName;
        try
        {
            var (page, picture) = (Path.Combine(scratch, "chart.html"), Path.Combine(scratch, "chart.png"));
            await using (var writer = new StreamWriter(page))
                await write(writer);
            var problem = await Run([
                .. Arguments,
                // Its sandbox refuses root.
                .. Environment.IsPrivilegedProcess ? ["--no-sandbox"] : Array.Empty<string>(),
                $"--user-data-dir={Path.Combine(scratch, "profile")}",
                $"--screenshot={picture}",
                new Uri(page).AbsoluteUri,
            ]);
            if (!File.Exists(picture))
                return problem;
            File.Move(picture, file, overwrite: true);
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException
            or System.ComponentModel.Win32Exception)
        {
            return failure.Message;
        }
        finally
        {
            Remove(scratch);
        }
    }

    private async Task<string> Run(IEnumerable<string> arguments)
    {
        using var browser = Process.Start(new ProcessStartInfo(_browser, arguments)
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        })!;
        var said = browser.StandardError.ReadToEndAsync();
        var printed = browser.StandardOutput.ReadToEndAsync();
        using var limit = new CancellationTokenSource(LimitAgainstHangs);
        try
        {
            await browser.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            browser.Kill(entireProcessTree: true);
            return $"{_browser} did not end within {LimitAgainstHangs.TotalSeconds} s";
        }

        await printed;
        return (await said).Split('\n', StringSplitOptions.RemoveEmptyEntries).LastOrDefault()
            ?? $"{_browser} drew nothing";
    }

    private static void Remove(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (IOException)
        {
            // A process of the browser may still be at its end; the folder lies where the system clears.
        }
    }
}
