using System.Globalization;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Scenarios;

namespace RedisLatency.Workloads;

/// <summary>Makes jobs of command lines, and says what keeps them from being done.</summary>
internal static class JobPlanning
{
    private const string DefaultRun = "default";

    private static readonly TimeSpan DemonstrationDuration = TimeSpan.FromSeconds(3);

    public static WorkloadJob Load(CommandRun<WorkloadOptions> command) =>
        Of(command, [LoadPhase(command, isAlone: true)]);

    /// <summary>On records that are there; the in-process server has none, so they are loaded first.</summary>
    public static WorkloadJob Run(CommandRun<WorkloadOptions> command) =>
        IsSelfContained(command) ? LoadAndRun(command) : OfRun(command, []);

    public static WorkloadJob LoadAndRun(CommandRun<WorkloadOptions> command) =>
        OfRun(command, [LoadPhase(command, isAlone: false)]);

    private static WorkloadJob OfRun(CommandRun<WorkloadOptions> command, IReadOnlyList<PhasePlan> before)
    {
        var run = RunPhase(command);
        var rotation = command.Options.Values.Rotation;
        if (rotation.Continuous)
            run = run with { Duration = null };
        if (rotation.Rotate is not null && before.Count > 0)
            throw new ConfigurationException($"{RotationCatalogue.Rotate}: load the records first, and rotate a run");
        if (run.Options.FindMaxRate is not { } limit)
            return Of(command, [.. before, run]) with { Rotation = rotation };
        if (SearchProblem(command.Options.Values, run, limit) is { } problem)
            throw new ConfigurationException(problem);
        var search = new SearchPlan(run, limit);
        return Of(command, [.. before, search.Estimate with { Given = run.Given }]) with { Search = search };
    }

    private static string? SearchProblem(
        WorkloadOptions options, PhasePlan run, LatencyLimit limit) => run switch
        {
            _ when WorkloadMetrics.Problem(limit.Threshold, WorkloadMetrics.NamesOf(run.Mix))
                is { } unknown => unknown.Replace("--threshold", "--find-max-rate", StringComparison.Ordinal),
            _ when options.Output.Thresholds.Count > 0 =>
                "--find-max-rate, --threshold: the search goes beyond what holds, and judges its steps by its own "
                + "limit",
            _ when options.Target.Endpoints.Count > 1 =>
                "--find-max-rate, --redis: two servers are compared at one rate; search each by itself",
            _ when PhaseMix.InsertShare(run.Mix) > 0 =>
                "--find-max-rate, --mix: what one step inserts would be there already in the next",
            _ => null,
        };

    public static WorkloadJob Of(CommandRun<ScenarioOptions> command, string nameOrFile)
    {
        var options = command.Options.Values;
        var scenario = ScenarioLibrary.Find(nameOrFile).Only(options.Only);
        if (scenario.Phases.Any(phase => phase.Options.FindMaxRate is not null))
            throw new ConfigurationException("find-max-rate: a scenario has its phases; run alone searches");
        if (scenario.Phases.Count == 0)
        {
            throw new ConfigurationException(
                $"--only {string.Join(" --only ", options.Only)}: no phase has that in it");
        }

        var scale = options.Scale ?? (options.Target.Endpoints.Count == 0 ? scenario.DemonstrationScale : 1);
        command.Options.Resolve("--scale", scale.ToString("0.############", CultureInfo.InvariantCulture));
        if (command.Options.IsGiven("--command-timeout"))
            scenario = scenario.WithCommandTimeout(options.Target.CommandTimeout);
        return Of(command, scenario.PlansAt(scale), scenario.FactsAt(scale));
    }

    private static WorkloadJob Of<TOptions>(
        CommandRun<TOptions> command, IReadOnlyList<PhasePlan> phases, ScenarioFacts? scenario = null)
        where TOptions : MeasuringOptions
    {
        var options = command.Options.Values;
        var problems = Problems(options, phases).Distinct().ToList();
        if (problems.Count > 0)
            throw new ConfigurationException(problems);
        var run = options.Identity.Run ?? DefaultRun;
        var instance = options.Identity.Instance ?? Environment.MachineName;
        command.Options.Resolve("--run", run);
        command.Options.Resolve("--instance", instance);
        var environment = command.Surroundings.Environment;
        var targets = TargetResolution.Resolve(options.Target, environment, PasswordPrompt.Ask, options.Fleet);
        var fleet = FleetPlan.Of(
            options.Fleet, options.Target, targets, environment, (run, WorkloadCatalogue.Role, instance));
        if (fleet is { Index: { } member })
            command.Options.Resolve("--member", member.ToString(CultureInfo.InvariantCulture));
        return new WorkloadJob
        {
            Phases = phases,
            Targets = targets,
            Fleet = fleet,
            Options = options,
            Effective = () => command.Options.Effective,
            Scenario = scenario,
            Run = run,
            Instance = instance,
        };
    }

    private static IEnumerable<string> Problems(MeasuringOptions options, IReadOnlyList<PhasePlan> phases)
    {
        var names = phases.SelectMany(phase => WorkloadMetrics.NamesOf(phase.Mix)).Distinct().ToList();
        IEnumerable<string?> problems =
        [
            .. phases.Select(phase => phase.Problem()),
            .. options.Output.Thresholds.Select(threshold => WorkloadMetrics.Problem(threshold, names)),
            .. options.Target.Driver == DriverKind.StackExchange ? ClientProblems(options.Running, phases) : [],
            RoutingProblem(options.Target, options.Running),
            options.Target.Endpoints.Count > 1 ? ComparisonProblem(phases) : null,
            options.Running.Repeat > 1 ? RepeatProblem(options, phases) : null,
            .. options.Fleet.IsMember ? MemberProblems(options.Fleet.Members, options, phases) : [],
        ];
        return problems.OfType<string>();
    }

    /// <summary>What of the options the StackExchange.Redis lane cannot do.</summary>
    private static IEnumerable<string> ClientProblems(RunningOptions running, IReadOnlyList<PhasePlan> phases)
    {
        const string driver = "--driver stackexchange";
        if (running.Cpu is not null)
            yield return $"--cpu, {driver}: the client runs on the thread pool; no thread can be pinned";
        if (running.Cluster == ClusterUse.Off)
        {
            yield return $"--cluster off, {driver}: the client asks the server itself whether it is a cluster, "
                + "and cannot be told otherwise";
        }

        if (running.ReadFrom != ReadPreference.Primary)
            yield return $"--read-from, {driver}: replicas are read by the raw lane only";

        if (phases.Any(phase => phase.IdleConnections > 0 || phase.ReconnectEvery is not null
            || phase.OperationsEach is not null || phase.HasKeysByConnection))
        {
            yield return $"--idle-connections, --reconnect-every, --operations-each, sequential-each and "
                + $"partitioned-each, {driver}: callers share a connection, and have none of their own";
        }

        foreach (var operation in phases.SelectMany(phase => phase.Mix.Operations).DistinctBy(one => one.Command.Text))
        {
            if (operation.Command is { IsInline: true } or { Each: not null } or { Replayed: not null })
            {
                yield return $"{operation.Name}, {driver}: the client sends no such thing";
                continue;
            }

            var commands = operation.Command.Shapes.Select(shape => new ClientCommand(shape.Name, shape.Keys));
            if (ClientCommand.Problem([.. commands]) is { } problem)
                yield return $"{operation.Command.Text}, {driver}: {problem}";
        }
    }

    // A turn begins where the turn before it began.
    private static string? ComparisonProblem(IReadOnlyList<PhasePlan> phases) => phases switch
    {
        _ when phases.Count(phase => !phase.IsLoad) > 1 =>
            "--redis: two servers are compared by one phase; give one of them, or --only one phase",
        _ when phases.Any(phase => phase.Rate.Count > 1 || phase.Rate.Any(step => step.From != step.To)) =>
            "--redis, --rate: two servers are compared in turns of one fixed rate",
        _ when phases.Any(phase => !phase.IsLoad && PhaseMix.InsertShare(phase.Mix) > 0) =>
            "--redis, --mix: two servers are compared in turns, and later turns would find what was inserted",
        _ => null,
    };

    private static string? RepeatProblem(MeasuringOptions options, IReadOnlyList<PhasePlan> phases) => phases switch
    {
        _ when options.Target.Endpoints.Count > 1 => "--repeat, --redis: two servers are compared in turns already",
        _ when phases.Any(phase => phase.Options.FindMaxRate is not null) =>
            "--repeat, --find-max-rate: a search repeats what it needs itself",
        _ when phases.Any(phase => !phase.IsLoad && PhaseMix.InsertShare(phase.Mix) > 0) =>
            "--repeat, --mix: what is inserted would be there already the second time",
        _ => null,
    };

    private static IEnumerable<string?> MemberProblems(
        int members, MeasuringOptions options, IReadOnlyList<PhasePlan> phases)
    {
        yield return options.Target.Endpoints.Count switch
        {
            0 => "--expect: several processes measure one server; --redis says which",
            > 1 => "--expect, --redis: two servers are compared by one process",
            _ => null,
        };
        if (phases.Any(phase => phase.Options.FindMaxRate is not null))
            yield return "--expect, --find-max-rate: one process searches";
        foreach (var phase in phases)
            yield return phase.ProblemOf(members);
    }

    private static string? RoutingProblem(TargetOptions target, RunningOptions running)
    {
        var endpoints = target.Endpoints.Select(text => RedisEndpoint.Parse(text)).ToList();
        var hasSentinels = endpoints.Exists(endpoint => endpoint.Topology == EndpointTopology.Sentinel);
        return (running.ReadFrom, endpoints.Count) switch
        {
            (_, > 2) => "--redis: at most two endpoints can be compared",
            (not ReadPreference.Primary, 0) =>
                "--read-from: the in-process server has no replicas; --redis says whose to read",
            _ when hasSentinels && running.Cluster == ClusterUse.On =>
                "--cluster on: Sentinels watch a primary, no cluster",
            _ => null,
        };
    }

    private static PhasePlan LoadPhase(CommandRun<WorkloadOptions> command, bool isAlone) =>
        new("load", isLoad: true, command.Options.Values.Phase.With(options =>
        {
            // Before a run, the schedule is the run's.
            if (!isAlone)
                (options.Rate, options.Arrival, options.MaxInFlight) = ([], ArrivalChoice.Uniform, null);
            options.Value ??= options.Verify ? "deterministic" : null;
        }))
        { Given = GivenTexts(command.Options, PhaseCatalogue.ForLoad()) };

    private static PhasePlan RunPhase(CommandRun<WorkloadOptions> command) =>
        new("run", isLoad: false, command.Options.Values.Phase.With(options =>
        {
            if (IsSelfContained(command)
                && options is { Duration: null, Operations: null, OperationsEach: null, FindMaxRate: null })
                options.Duration = DemonstrationDuration;
        }))
        { Given = GivenTexts(command.Options, PhaseCatalogue.ForRun()) };

    private static bool IsSelfContained(CommandRun<WorkloadOptions> command) =>
        command.Options.Values.Target.Endpoints.Count == 0;

    private static Dictionary<string, string> GivenTexts(
        BoundOptions<WorkloadOptions> options, OptionCatalogue<PhaseOptions> phase)
    {
        var names = phase.Options.Select(option => option.Description.Name).ToHashSet();
        return options.Effective
            .Where(option => names.Contains(option.Name) && options.IsGiven(option.Name))
            .ToDictionary(option => option.Name.TrimStart('-'), option => option.Value);
    }
}
