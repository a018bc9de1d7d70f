using RedisLatency.Fleet;
using RedisLatency.Fleet.Results;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool.Report;

/// <summary>Many processes' results as one run: what is left out is named, and the exit code says so.</summary>
internal static class MergeCommand
{
    public static ServiceCommand Create() => new ServiceCommand<MergeOptions>(
        "merge",
        "Makes one run of what several processes of it measured, exactly.",
        new OptionCatalogue<MergeOptions>("Merge")
            .AddArguments("FOLDER", o => o.Folders, Syntax.Text("FOLDER"),
                "The processes' results folders, or folders that contain them",
                required: false)
            .Group("What")
            .Add("--run", o => o.Run, Syntax.OptionalText("NAME"),
                "Which run, where the folders contain several", shownDefault: "that of the first folder")
            .Add("--role", o => o.Role, Syntax.OptionalText("ROLE"),
                "Whose: producer, consumer or workload", shownDefault: "that of the first folder")
            .Group("Output")
            .Add("--out", o => o.Out, Syntax.Text("FOLDER"), "Where the results folder is created")
            .Include(FleetCatalogue.CreateControl("none: folders are merged"), o => o.Fleet)
            .Include(TargetCatalogue.CreateTls(), o => o.Target)
            .Rule(["--control", "--run"], o => o.Fleet.Control is not null && o.Run is null
                ? "--run must say which run to fetch"
                : null)
            .Rule(["--control-password-file", "--control"], o =>
                o.Fleet is { Control: null, ControlPasswordFile: not null } ? "whose password it is is not said" : null)
            .Rule(["FOLDER", "--control"], o => (o.Folders.Count == 0) == (o.Fleet.Control is null)
                ? "either folders are needed, or the control Redis that has them"
                : null),
        (run, _) => Task.FromResult(Merge(run.Options.Values)))
    {
        Common = ["--run", "--role", "--control", "--control-password-file", "--out"],
        Examples =
        [
            new("All producers of one run", "merge results --run night --role producer"),
            new("Two hosts' results", "merge host-a/results host-b/results"),
            new("All members of a run that met at a Redis", "merge --control host:6379 --run night"),
        ],
    };

    private static int Merge(MergeOptions options)
    {
        using var output = new StandardOutput();
        if (options.Fleet.Control is null)
        {
            var skipped = new List<string>();
            return output.End(Required(Merge(
                options, SavedRunSearch.FoldersIn(options.Folders, skipped), skipped, output)));
        }

        var fetched = Directory.CreateTempSubdirectory("redislatency-");
        try
        {
            return output.End(Required(MergeFleet(options, fetched.FullName, output)));
        }
        catch (Exception failure) when (failure is RedisException or FleetException)
        {
            new Diagnostics().WriteLine(failure.Message);
            return ExitCode.Refused;
        }
        finally
        {
            fetched.Delete(recursive: true);
        }
    }

    private static int Required((bool IsMade, int Code) merged) =>
        merged.IsMade ? merged.Code : throw new ConfigurationException("there is nothing to merge");

    // Those who send and those who answer measure different things: each role has a merged run.
    private static (bool IsMade, int Code) MergeFleet(MergeOptions options, string root, StandardOutput output)
    {
        var target = FleetPlan.ControlOf(options.Fleet, options.Target, []);
        TargetResolution.RequireTls(options.Target, target.Endpoint);
        using var control = ControlClient.Open(target.Endpoint, target.Connection);
        var (isMade, code) = (false, ExitCode.Valid);
        foreach (var role in new FleetResults(control, options.Run!).Receive(root).GroupBy(member => member.Role))
        {
            var isOfPair = role.Key is FleetCatalogue.Producer or FleetCatalogue.Consumer;
            if (isOfPair && (options.Role ?? role.Key) != role.Key)
                continue;
            var merged = Merge(
                options,
                role.Select(member => member.Folder).OfType<string>(),
                [.. role.Select(member => member.Problem).OfType<string>()],
                output);
            (isMade, code) = (isMade | merged.IsMade, ExitCode.Combine(code, merged.Code));
        }

        return (isMade, code);
    }

    private static (bool IsMade, int Code) Merge(
        MergeOptions options, IEnumerable<string> folders, List<string> skipped, StandardOutput output)
    {
        var merge = new RunMerge(ProgramVersion.Text);
        var diagnostics = new Diagnostics();
        var code = ExitCode.Valid;
        foreach (var folder in folders)
        {
            if (Add(merge, options, folder) is { } problem)
                skipped.Add(problem);
        }

        foreach (var reason in skipped)
        {
            diagnostics.WriteLine($"Skipped: {reason}");
            merge.LeaveOut();
            code = ExitCode.NotValid;
        }

        if (merge.Parts == 0)
            return (false, code);
        try
        {
            var (record, folder) = merge.WriteTo(
                options.Out, TimeProvider.System.GetUtcNow(), merge.ExitCodes.Aggregate(code, Worse));
            RecordOutput.Write(record, folder, (OutputFormat.Text, false), [], output);
            return (true, code);
        }
        catch (SavedRunException failure)
        {
            throw new ConfigurationException(failure.Message);
        }
    }

    // Null where it was added, or is of what was not asked for.
    private static string? Add(RunMerge merge, MergeOptions options, string folder)
    {
        try
        {
            var run = SavedRun.Open(folder);
            if (run.Record is { } record && ((options.Run is { } name && record.Run != name)
                || (options.Role is { } role && record.Role != role)))
                return null;
            return merge.Add(run) is { } problem ? $"{folder}: {problem}" : null;
        }
        catch (SavedRunException failure)
        {
            return failure.Message;
        }
    }

    // A record may hold any number; what no process of this suite returns is a fault.
    private static int Worse(int worst, int code) =>
        ExitCode.Combine(worst, ExitCode.IsKnown(code) ? code : ExitCode.Fault);
}

internal sealed class MergeOptions
{
    public IReadOnlyList<string> Folders { get; set; } = [];
    public string? Run { get; set; }
    public string? Role { get; set; }
    public FleetOptions Fleet { get; } = new();
    public TargetOptions Target { get; } = new();
    public string Out { get; set; } = "results";
}
