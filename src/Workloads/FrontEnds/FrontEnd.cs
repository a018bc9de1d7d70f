using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Shows a run as another tool would. The verdict goes to standard error: the original has none.</summary>
internal abstract class FrontEnd
{
    public const string Manual = "docs/front-ends.md";

    /// <summary>Where commands that only read are sent.</summary>
    public ReadPreference ReadFrom { get; set; }

    /// <summary>Whether more is told about what goes on.</summary>
    protected virtual bool IsVerbose => false;

    // What is written besides, and the options that name it; of many files the first.
    protected virtual IEnumerable<(string Option, string Path)> Outputs => [];

    protected OutputFiles Files { get; } = new();

    /// <summary>A phase is connected and about to begin.</summary>
    public virtual void Begin(PhaseSession session, RunContext run)
    {
    }

    /// <summary>Another interval of a phase is over, the last one shorter; on the reporter's thread.</summary>
    public virtual void Show(
        PhaseSession session, in TakenInterval interval, in LiveSnapshot snapshot, RunContext run)
    {
    }

    /// <summary>A phase is over; what it measured is complete.</summary>
    public virtual void End(PhaseSession session, RunContext run)
    {
    }

    /// <summary>Everything is over.</summary>
    protected abstract void Finish(IReadOnlyList<PhaseSession> measured, RunContext run);

    /// <summary>Prints what is left, and what to keep in mind.</summary>
    /// <returns>What the process ends with: an <see cref="ExitCode"/>.</returns>
    public int Finish(PhaseSessions sessions, RunRecord record, RunContext run)
    {
        List<PhaseSession> measured = [.. sessions.All.Where(session => session.HasMeasured)];
        if (measured.Count > 0)
            Finish(measured, run);
        run.Output.Flush();
        foreach (var failure in Files.Failures)
            run.Diagnostics.WriteLine($"ERROR: {failure}");
        var notes = sessions.All.Zip(record.Summaries).Where(pair => pair.First.Totals is not null)
            .SelectMany(pair => WorkloadVerdict.Notes(pair.First, pair.Second, record.Cpu)).ToHashSet();
        var word = record.Verdict.Status == VerdictStatus.Valid ? "NOTE"
            : record.Verdict.IsMeasured ? "WARNING: DOUBTFUL"
            : "WARNING: NOT VALID";
        foreach (var session in measured)
            TellMissing(session, run);
        foreach (var reason in record.Verdict.Reasons)
            run.Diagnostics.WriteLine($"{(notes.Contains(reason) ? "NOTE" : word)}: {reason}");
        if (record.Verdict.Reasons.Any(reason => reason.Contains(" --", StringComparison.Ordinal)))
            run.Diagnostics.WriteLine("NOTE: the options in these lines are those of the verb run.");
        return Files.Failures.Count == 0
            ? record.ExitCode
            : ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten);
    }

    private static void TellMissing(PhaseSession session, RunContext run)
    {
        var totals = session.Measured;
        (long? Count, string What)[] parts =
        [
            (totals.Operations.Sum(operation => operation.Counts.TimedOut), "had no reply in time"),
            (totals.Operations.Sum(operation => operation.Counts.Lost), "were lost with their connection"),
            (totals.Operations.Sum(operation => operation.Counts.Errors), "ended by an error"),
            (totals.Unsent, "were never sent"),
        ];
        var missing = parts.Where(part => part.Count > 0).ToList();
        if (missing.Count == 0)
            return;
        run.Diagnostics.WriteLine(
            $"NOTE: {session.Phase.FullName}: {Quantity.Count(missing.Sum(part => part.Count))} of "
            + $"{Quantity.Count(totals.Due)} requests have no latency "
            + $"({string.Join(", ", missing.Select(part => $"{Quantity.Count(part.Count)} {part.What}"))}): a latency "
            + "that they could change is left out, or is at least what is printed.");
    }

    /// <summary>Runs phases one after the other on a server, shown by this front end.</summary>
    public int Run(
        ForeignTarget target, IReadOnlyList<PhasePlan> phases, ClusterUse cluster, CommandSurroundings around)
    {
        if (phases.Select(phase => phase.Problem()).OfType<string>().ToList() is { Count: > 0 } problems)
            throw new ConfigurationException(problems);
        var options = new WorkloadOptions();
        (options.Running.Cluster, options.Output.Quiet, options.Output.Verbose) = (cluster, !IsVerbose, IsVerbose);
        options.Running.ReadFrom = ReadFrom;
        var resolved = target.Resolve(around.Environment);
        options.Target.Given = [resolved.Name];
        using var files = Files;
        if (Files.Open(Outputs) is { Count: > 0 } closed)
            throw new ConfigurationException(closed);
        var job = new WorkloadJob
        {
            Phases = phases,
            Targets = [resolved],
            Options = options,
            Effective = () => [],
            Run = "front-end",
            Instance = Environment.MachineName,
            FrontEnd = this,
        };
        return RunHost.Run(job.Output, run => WorkloadsRun.Live(job, run));
    }

    // To a file, or printed, as where the file cannot be written.
    protected void Print(string? path, Action<TextWriter> print, RunContext run)
    {
        if (path is null || !Files.WriteText(path, print))
            print(run.Output);
    }

    internal static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
