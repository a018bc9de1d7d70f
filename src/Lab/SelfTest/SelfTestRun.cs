using System.Collections.Concurrent;
using System.Net.Sockets;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Lab.SelfTest;

internal sealed class SelfTestRun(SelfTestOptions options, RunContext run)
{
    private static readonly TimeSpan LongestLead = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan ShortLength = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongLength = TimeSpan.FromSeconds(60);

    private readonly Row[] _rows =
        [.. RowCatalogue.All.Where(row => options.Only.Count == 0 || options.Only.Contains(row.Name))];

    private int _begun;

    public static int Run(CommandRun<SelfTestOptions> command) => RunHost.Run(
        command.Options.Values.Verbosity, run => new SelfTestRun(command.Options.Values, run).Run());

    private int Run()
    {
        run.Enter(RunPhase.Connect);
        if (MonotonicClock.IsSynthetic)
            throw new RunRefusedException("The Lab itself reads a synthetic clock: there would be no truth.");
        if (options.Redis is { } given)
            MustAnswer(RedisEndpoint.Parse(given));
        using var folder = new WorldFolder(options.Keep);
        var surroundings = new WorldSurroundings(
            ProgramOf(options.Producer, "Producer"),
            ProgramOf(options.Consumer, "Consumer"),
            TimeNamespace.Find(),
            options.Redis,
            folder.Path);

        run.Enter(RunPhase.Measure);
        RowOutcome[] outcomes =
            [.. _rows.Select(row => OutcomeOf(row, RowVerdict.Stopped, "the self-test was stopped before its end"))];
        run.Attempt(() =>
        {
            LiveAll(outcomes, row => row.NeedsMachine, 1, surroundings);
            LiveAll(outcomes, row => !row.NeedsMachine, options.Jobs, surroundings);
        });

        run.Enter(RunPhase.Report);
        var verdict = outcomes.Aggregate(ExitCode.Valid, (worst, outcome) => ExitCode.Combine(worst, CodeOf(outcome)));
        new SelfTestReport(outcomes, options.Short, ExitCode.Combine(run.ExitCode, verdict))
            .WriteTo(run.Output, options.Format);
        return verdict;
    }

    private void LiveAll(RowOutcome[] outcomes, Predicate<Row> isMeant, int atOnce, WorldSurroundings surroundings)
    {
        var places = new ConcurrentQueue<int>(Enumerable.Range(0, _rows.Length).Where(place => isMeant(_rows[place])));
        var lives = Enumerable.Range(0, Math.Min(atOnce, places.Count))
            .Select(_ => Task.Factory.StartNew(
                LiveInTurn, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
        Task.WhenAll([.. lives]).GetAwaiter().GetResult();

        void LiveInTurn()
        {
            while (!run.Stop.IsRequested && places.TryDequeue(out var place))
                LiveOne(outcomes, place, surroundings);
        }
    }

    private void LiveOne(RowOutcome[] outcomes, int place, WorldSurroundings surroundings)
    {
        var row = _rows[place];
        var number = Interlocked.Increment(ref _begun);
        SelfTestLog.RowBegan(run.Logger, number, _rows.Length, row.Name, row.Title);
        try
        {
            outcomes[place] = Live(row, surroundings);
        }
        catch (OperationCanceledException) when (run.Stop.IsRequested)
        {
            // Its outcome says already that it was stopped.
        }

        var verdict = outcomes[place].Verdict.ToString().ToUpperInvariant();
        var end = outcomes[place].Reason is { } why ? $"{verdict}, {why}" : verdict;
        SelfTestLog.RowEnded(run.Logger, row.Name, end);
    }

    private RowOutcome Live(Row row, WorldSurroundings surroundings)
    {
        var world = row.World(options.Short ? ShortLength : LongLength);
        if (WhyNotHere(world, surroundings) is { } reason)
            return OutcomeOf(row, RowVerdict.Skipped, reason);
        try
        {
            Finding[] findings = [.. row.Check(LiveInTime(world, surroundings))];
            var verdict = Array.TrueForAll(findings, finding => finding.Holds) ? RowVerdict.Pass : RowVerdict.Miss;
            return OutcomeOf(row, verdict, reason: null) with { Findings = findings };
        }
        catch (WorldFailedException failure)
        {
            return OutcomeOf(row, RowVerdict.Failed, failure.Message);
        }
    }

    // A run that began after what was planted in it shows nothing: it is planted later then.
    private Observation LiveInTime(World world, WorldSurroundings surroundings)
    {
        for (var lead = WorldRun.FirstLead; ;)
        {
            using var lived = new WorldRun(world, surroundings, lead);
            try
            {
                return lived.Live(run.Stop.Cancellation);
            }
            catch (WorldBegunLateException late) when (late.Lead < LongestLead)
            {
                lead = late.Lead * 2;
            }
        }
    }

    private static RowOutcome OutcomeOf(Row row, RowVerdict verdict, string? reason) =>
        new() { Row = row.Name, Title = row.Title, Verdict = verdict, Reason = reason };

    private string? WhyNotHere(World world, WorldSurroundings surroundings) =>
        world.NamespaceSeconds > 0 && surroundings.Namespaces.Problem is { } problem ? problem
        : world.Faults is not null && options.Redis is not null ? "only the Lab's own server does wrong as it is told"
        : null;

    private int CodeOf(RowOutcome outcome) => outcome.Verdict switch
    {
        RowVerdict.Pass or RowVerdict.Stopped => ExitCode.Valid,
        RowVerdict.Skipped => options.AllowSkips ? ExitCode.Valid : ExitCode.Refused,
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
        var program = given is null ? ServiceProgram.Of(project) : new ServiceProgram(Path.GetFullPath(given));
        return File.Exists(program.Path)
            ? program
            : throw new RunRefusedException($"The {project} is not there: {program.Path}");
    }
}

/// <summary>Where the runs of all worlds leave their results; removed again unless they shall be kept.</summary>
internal sealed class WorldFolder(string? kept) : IDisposable
{
    public string Path { get; } = System.IO.Path.GetFullPath(
        kept ?? Directory.CreateTempSubdirectory("redislatency-selftest-").FullName);

    public void Dispose()
    {
        if (kept is null)
            Directory.Delete(Path, recursive: true);
    }
}
