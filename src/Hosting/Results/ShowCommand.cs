using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Results;

/// <summary>The verb <c>show FOLDER</c>: a saved run, printed again.</summary>
public static class ShowCommand
{
    public static ServiceCommand Create() => new ServiceCommand<ShowOptions>(
        "show",
        "Prints a saved run again.",
        new OptionCatalogue<ShowOptions>("Show")
            .AddArgument("FOLDER", o => o.Folder, Syntax.Text("FOLDER"), "The run's results folder, or its run.json")
            .Group("Output")
            .Add("--format", o => o.Format, Syntax.Choice<ShowFormat>(),
                "How the run is printed; hgrm is the percentile distribution of each series")
            .Add(OutputCatalogue.Details, o => o.Details, Syntax.Flag, OutputCatalogue.DetailsHelp),
        (run, _) => Task.FromResult(Show(run.Options.Values)));

    private static int Show(ShowOptions options)
    {
        var output = new StandardOutput();
        try
        {
            var run = SavedRun.Open(options.Folder);
            if (options.Format == ShowFormat.Hgrm)
            {
                output.IsDocument = true;
                if (run.LogFile is null)
                    throw new ConfigurationException($"{run.Folder}: there is no {ResultsFolder.IntervalLogName}");
                new SavedSeries(run).WriteDistributionsTo(output);
            }
            else if (run.Record is { } record)
            {
                RecordOutput.Write(
                    record, run.Folder, ((OutputFormat)options.Format, options.Details), [], output);
            }
            else if (options.Format == ShowFormat.Text)
            {
                new SavedSeries(run).WriteTo(output);
            }
            else
            {
                throw new ConfigurationException(
                    $"{options.Folder}: the run was killed, or is still under way; there is no run.json, and without "
                    + "--format it is shown what its interval log holds");
            }

            return output.End(ExitCode.Valid);
        }
        catch (SavedRunException failure)
        {
            throw new ConfigurationException(failure.Message);
        }
    }
}

/// <summary>Which saved run is shown, and how.</summary>
public sealed class ShowOptions
{
    public string Folder { get; set; } = string.Empty;
    public ShowFormat Format { get; set; }

    public bool Details { get; set; }
}

/// <summary>How a saved run is printed: as a run prints it, or the distributions of its series.</summary>
public enum ShowFormat
{
    Text = OutputFormat.Text,
    Json = OutputFormat.Json,
    Csv = OutputFormat.Csv,
    Hgrm,
}
