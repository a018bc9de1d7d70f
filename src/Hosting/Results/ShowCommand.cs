using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Formats;
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
                "How the run is printed; hgrm is the percentile distribution of each series, memtier and ycsb are "
                    + "what those tools write of a load")
            .Add(OutputCatalogue.Details, o => o.Details, Syntax.Flag, OutputCatalogue.DetailsHelp),
        (run, _) => Task.FromResult(Show(run.Options.Values)));

    /// <summary>Prints a saved run.</summary>
    /// <returns>An exit code; it says, too, that the end of what was read is torn.</returns>
    /// <exception cref="ConfigurationException">It cannot be printed so.</exception>
    public static int Print(SavedRun run, ShowFormat format, bool hasDetails, StandardOutput output)
    {
        try
        {
            if (format == ShowFormat.Hgrm)
            {
                output.IsDocument = true;
                if (run.LogFile is null)
                    throw new ConfigurationException($"{run.Folder}: there is no {ResultsFolder.IntervalLogName}");
                new SavedSeries(run).WriteDistributionsTo(output);
            }
            else if (format is ShowFormat.Memtier or ShowFormat.Ycsb)
            {
                output.IsDocument = true;
                Action<TextWriter, SavedRun> write =
                    format == ShowFormat.Memtier ? MemtierDocument.Write : YcsbText.Write;
                write(output, run);
            }
            else if (run.Record is { } record)
            {
                RecordOutput.Write(record, run.Folder, ((OutputFormat)format, hasDetails), [], output);
            }
            else if (format == ShowFormat.Text)
            {
                new SavedSeries(run).WriteTo(output);
            }
            else
            {
                throw new ConfigurationException(
                    $"{run.Folder}: the run was killed, or is still under way; there is no run.json, and without "
                    + "--format it is shown what its interval log holds");
            }
        }
        catch (Exception failure) when (failure is SavedRunException or ExportException)
        {
            throw new ConfigurationException(failure.Message);
        }

        if (!run.HasTornTail)
            return ExitCode.Valid;
        new Diagnostics().WriteLine($"{run.LogFile}: the last line is torn, and was passed over");
        return ExitCode.NotValid;
    }

    private static int Show(ShowOptions options)
    {
        var output = new StandardOutput();
        try
        {
            return output.End(Print(SavedRun.Open(options.Folder), options.Format, options.Details, output));
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

/// <summary>How a saved run is printed: as a run prints it, its distributions, or as another tool would.</summary>
public enum ShowFormat
{
    Text = OutputFormat.Text,
    Json = OutputFormat.Json,
    Csv = OutputFormat.Csv,
    Hgrm,
    Memtier,
    Ycsb,
}
