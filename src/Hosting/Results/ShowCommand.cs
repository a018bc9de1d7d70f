using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Encodings;
using RedisLatency.Reports.Records;
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
            .Add("--format", o => o.Format, Syntax.Choice<OutputFormat>(), "How the run is printed")
            .Add(OutputCatalogue.Details, o => o.Details, Syntax.Flag, OutputCatalogue.DetailsHelp),
        (run, _) => Task.FromResult(Show(run.Options.Values)));

    private static int Show(ShowOptions options)
    {
        var output = new StandardOutput();
        try
        {
            var record = RunRecordReader.Read(options.Folder);
            var folder = File.Exists(options.Folder)
                ? Path.GetDirectoryName(Path.GetFullPath(options.Folder))
                : options.Folder;
            RecordOutput.Write(record, folder, (options.Format, options.Details), [], output);
            return output.End(ExitCode.Valid);
        }
        catch (RunRecordException failure) when (failure.IsMissing
            && FindUnfinished(options.Folder) is { } unfinished)
        {
            if (options.Format != OutputFormat.Text)
            {
                throw new ConfigurationException(
                    $"{options.Folder}: the run was killed, or is still under way; there is no run.json, and without "
                    + "--format it is shown what its interval log holds");
            }

            unfinished.WriteTo(output);
            output.Flush();
            return ExitCode.Valid;
        }
        catch (RunRecordException failure)
        {
            throw new ConfigurationException(failure.Message);
        }
    }

    private static UnfinishedRun? FindUnfinished(string folder)
    {
        try
        {
            return UnfinishedRun.In(folder);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException
            or HistogramFormatException)
        {
            throw new ConfigurationException($"{folder}: {failure.Message}");
        }
    }
}

/// <summary>Which saved run is shown, and how.</summary>
public sealed class ShowOptions
{
    public string Folder { get; set; } = string.Empty;
    public OutputFormat Format { get; set; } = OutputFormat.Text;

    public bool Details { get; set; }
}
