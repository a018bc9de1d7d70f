using System.Collections.Concurrent;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Lab.Findings;
using RedisLatency.Lab.Rows;
using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Lab.SelfTest;

internal sealed class SelfTestRun(
    CommandRun<SelfTestOptions> command, StandardOutput output, ILogger<SelfTestRun> logger) : IMeasuredRun, IDisposable
{
    private static readonly TimeSpan ShortLength = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongLength = TimeSpan.FromSeconds(60);

    private RowOutcome[] _outcomes = [];
    private int _begun;
    private WorldSurroundings? _surroundings;
    private string? _scratch;

    private SelfTestOptions Options => command.Options.Values;

    public static int Run(CommandRun<SelfTestOptions> command) => RunHost.Run<SelfTestRun>(
        command.Options.Values.Verbosity, services => services.AddSingleton(command));

    public void Resolve(RunContext context)
    {
    }

    public void Connect(RunContext context)
    {
        if (MonotonicClock.IsSynthetic)
            throw new RunRefusedException("The Lab itself reads a synthetic clock: there would be no truth.");
        if (Options.Redis is { } given)
            MustAnswer(RedisEndpoint.Parse(given));
        if (Options.Keep is null)
            _scratch = Directory.CreateTempSubdirectory("redislatency-selftest-").FullName;
        _surroundings = new WorldSurroundings(
            ProgramOf(Options.Producer, "Producer"),
            ProgramOf(Options.Consumer, "Consumer"),
            TimeNamespace.Find(),
            Options.Redis,
            Path.GetFullPath(Options.Keep ?? _scratch!));
    }

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
    }

    public void WarmUp(RunContext context)
    {
    }

    public void Measure(RunContext context)
    {
        Row[] rows = [.. RowCatalogue.All.Where(row => Options.Only.Count == 0 || Options.Only.Contains(row.Name))];
        _outcomes =
            [.. rows.Select(row => OutcomeOf(row, RowVerdict.Stopped, "the self-test was stopped before its end"))];
        LiveAll(rows, row => row.NeedsMachine, 1, context);
        LiveAll(rows, row => !row.NeedsMachine, Options.Jobs, context);
    }

    public void Drain(RunContext context)
    {
    }

    public int Report(RunContext context)
    {
        var verdict = ExitCode.Valid;
        foreach (var outcome in _outcomes)
            verdict = ExitCode.Combine(verdict, CodeOf(outcome));
        var report = new SelfTestReport(_outcomes, Options.Short, ExitCode.Combine(context.ExitCode, verdict));
        if (_outcomes.Length > 0)
            report.WriteTo(output, Options.Format);
        return verdict;
    }

    public void Dispose()
    {
        if (_scratch is { } folder)
            Directory.Delete(folder, recursive: true);
    }

    private void LiveAll(Row[] rows, Predicate<Row> isMeant, int atOnce, RunContext context)
    {
        var places = new ConcurrentQueue<int>(Enumerable.Range(0, rows.Length).Where(place => isMeant(rows[place])));
        var lives = Enumerable.Range(0, Math.Min(atOnce, places.Count))
            .Select(_ => Task.Factory.StartNew(
                LiveInTurn, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
        Task.WhenAll([.. lives]).GetAwaiter().GetResult();

        void LiveInTurn()
        {
            while (!context.Stop.IsRequested && places.TryDequeue(out var place))
                LiveOne(rows, place, context.Stop.Cancellation);
        }
    }

    private void LiveOne(Row[] rows, int place, CancellationToken stop)
    {
        var row = rows[place];
        var number = Interlocked.Increment(ref _begun);
        SelfTestLog.RowBegan(logger, number, rows.Length, row.Name, row.Title);
        try
        {
            _outcomes[place] = Live(row, stop);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // Its outcome says already that it was stopped.
        }

        var verdict = _outcomes[place].Verdict.ToString().ToUpperInvariant();
        var end = _outcomes[place].Reason is { } why ? $"{verdict}, {why}" : verdict;
        SelfTestLog.RowEnded(logger, row.Name, end);
    }

    private RowOutcome Live(Row row, CancellationToken stop)
    {
        var world = row.World(Options.Short ? ShortLength : LongLength);
        if (WhyNotHere(world) is { } reason)
            return OutcomeOf(row, RowVerdict.Skipped, reason);
        try
        {
            using var run = new WorldRun(world, _surroundings!);
            Finding[] findings = [.. row.Check(run.Live(stop))];
            var verdict = Array.TrueForAll(findings, finding => finding.Holds) ? RowVerdict.Pass : RowVerdict.Miss;
            return OutcomeOf(row, verdict, reason: null) with { Findings = findings };
        }
        catch (WorldFailedException failure)
        {
            return OutcomeOf(row, RowVerdict.Failed, failure.Message);
        }
    }

    private static RowOutcome OutcomeOf(Row row, RowVerdict verdict, string? reason) =>
        new() { Row = row.Name, Title = row.Title, Verdict = verdict, Reason = reason };

    private string? WhyNotHere(World world) =>
        world.NamespaceSeconds > 0 && _surroundings!.Namespaces.Problem is { } problem ? problem
        : world.Faults is not null && Options.Redis is not null ? "only the Lab's own server does wrong as it is told"
        : null;

    private int CodeOf(RowOutcome outcome) => outcome.Verdict switch
    {
        RowVerdict.Pass or RowVerdict.Stopped => ExitCode.Valid,
        RowVerdict.Skipped => Options.AllowSkips ? ExitCode.Valid : ExitCode.Refused,
        _ => ExitCode.ThresholdMissed,
    };

    private static void MustAnswer(RedisEndpoint endpoint)
    {
        try
        {
            using var client = new TcpClient();
            if (!client.ConnectAsync(endpoint.Host, endpoint.Port).Wait(ConnectLimit))
                throw new RunRefusedException($"{endpoint} does not answer within {ConnectLimit.TotalSeconds:0} s.");
        }
        catch (AggregateException failure) when (failure.InnerException is SocketException reason)
        {
            throw new RunRefusedException($"{endpoint} cannot be reached: {reason.Message}", reason);
        }
    }

    private static ServiceProgram ProgramOf(string? given, string project)
    {
        var program = given is null ? ServiceProgram.Beside(project) : new ServiceProgram(Path.GetFullPath(given));
        return File.Exists(program.Path)
            ? program
            : throw new RunRefusedException($"The {project} is not there: {program.Path}");
    }
}
