using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Lab.SelfTest.Findings;
using RedisLatency.Lab.SelfTest.Processes;
using RedisLatency.Lab.SelfTest.Rows;
using RedisLatency.Lab.SelfTest.Worlds;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Lab.SelfTest;

/// <summary>What <c>Lab selftest</c> does in each phase of a run.</summary>
internal sealed class SelfTestRun(
    CommandRun<SelfTestOptions> command, StandardOutput output, ILogger<SelfTestRun> logger) : IMeasuredRun, IDisposable
{
    private static readonly TimeSpan ShortLength = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LongLength = TimeSpan.FromSeconds(60);

    private readonly List<RowOutcome> _outcomes = [];
    private WorldSurroundings? _surroundings;
    private string? _scratch;

    private SelfTestOptions Options => command.Options.Values;

    /// <summary>Runs the command.</summary>
    public static int Run(CommandRun<SelfTestOptions> command) => RunHost.Run<SelfTestRun>(
        command.Options.Values.Verbosity, services => services.AddSingleton(command));

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        if (MonotonicClock.IsSynthetic)
            throw new RunRefusedException("The Lab itself reads a synthetic clock: there would be no truth.");
        if (Options.Keep is null)
            _scratch = Directory.CreateTempSubdirectory("redislatency-selftest-").FullName;
        _surroundings = new WorldSurroundings(
            ProgramOf(Options.Producer, "Producer"),
            ProgramOf(Options.Consumer, "Consumer"),
            TimeNamespace.Find(),
            Options.Redis,
            Path.GetFullPath(Options.Keep ?? _scratch!));
    }

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        var rows = RowCatalogue.All
            .Where(row => Options.Only.Count == 0 || Options.Only.Contains(row.Name))
            .ToArray();
        for (var index = 0; index < rows.Length && !context.Stop.IsRequested; index++)
        {
            SelfTestLog.RowBegan(logger, index + 1, rows.Length, rows[index].Name, rows[index].Title);
            var outcome = Live(rows[index], context.Stop.Cancellation);
            _outcomes.Add(outcome);
            var verdict = outcome.Verdict.ToString().ToUpperInvariant();
            SelfTestLog.RowEnded(logger, outcome.Row, outcome.Reason is { } why ? $"{verdict}, {why}" : verdict);
        }
    }

    /// <inheritdoc/>
    public void Drain(RunContext context)
    {
    }

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        var verdict = ExitCode.Valid;
        foreach (var outcome in _outcomes)
            verdict = ExitCode.Combine(verdict, CodeOf(outcome));
        var report = new SelfTestReport(_outcomes, Options.Short, ExitCode.Combine(context.ExitCode, verdict));
        if (_outcomes.Count > 0)
            report.WriteTo(output, Options.Format);
        return verdict;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_scratch is { } folder)
            Directory.Delete(folder, recursive: true);
    }

    private RowOutcome Live(Row row, CancellationToken stop)
    {
        var world = row.World(Options.Short ? ShortLength : LongLength);
        var outcome = new RowOutcome { Row = row.Name, Title = row.Title, Verdict = RowVerdict.Skipped };
        if (WhyNotHere(world) is { } reason)
            return outcome with { Reason = reason };
        try
        {
            using var run = new WorldRun(world, _surroundings!);
            Finding[] findings = [.. row.Check(run.Live(stop))];
            var verdict = Array.TrueForAll(findings, finding => finding.Holds) ? RowVerdict.Pass : RowVerdict.Miss;
            return outcome with { Verdict = verdict, Findings = findings };
        }
        catch (WorldFailedException failure)
        {
            return outcome with { Verdict = RowVerdict.Failed, Reason = failure.Message };
        }
    }

    private string? WhyNotHere(World world) =>
        world.NamespaceSeconds > 0 && _surroundings!.Namespaces.Problem is { } problem ? problem
        : world.Faults is not null && Options.Redis is not null ? "only the Lab's own server does wrong as it is told"
        : null;

    private int CodeOf(RowOutcome outcome) => outcome.Verdict switch
    {
        RowVerdict.Pass => ExitCode.Valid,
        RowVerdict.Skipped => Options.AllowSkips ? ExitCode.Valid : ExitCode.Refused,
        _ => ExitCode.ThresholdMissed,
    };

    private static ServiceProgram ProgramOf(string? given, string project)
    {
        var program = given is null ? ServiceProgram.Beside(project) : new ServiceProgram(Path.GetFullPath(given));
        return File.Exists(program.Path)
            ? program
            : throw new RunRefusedException($"The {project} is not there: {program.Path}");
    }
}
