using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Rates;
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
        IsSelfContained(command) ? LoadAndRun(command) : Of(command, [RunPhase(command)]);

    public static WorkloadJob LoadAndRun(CommandRun<WorkloadOptions> command) =>
        Of(command, [LoadPhase(command, isAlone: false), RunPhase(command)]);

    public static WorkloadJob Of(CommandRun<ScenarioOptions> command, string nameOrFile)
    {
        var options = command.Options.Values;
        var scenario = ScenarioLibrary.Find(nameOrFile).Only(options.Only);
        if (scenario.Phases.Count == 0)
        {
            throw new ConfigurationException(
                $"--only {string.Join(" --only ", options.Only)}: no phase has that in it");
        }

        var scale = options.Scale ?? (options.Target.Endpoints.Count == 0 ? scenario.DemonstrationScale : 1);
        command.Options.Resolve("--scale", scale.ToString("0.############", CultureInfo.InvariantCulture));
        if (command.Options.IsGiven("--command-timeout"))
            scenario = scenario.WithCommandTimeout(options.Target.CommandTimeout);
        return Checked(command.Surroundings, options.Target, command.Options, new WorkloadJob
        {
            Phases = scenario.PlansAt(scale),
            Targets = [],
            Running = options.Running,
            Identity = options.Identity,
            Output = options.Output,
            Effective = () => command.Options.Effective,
            Scenario = scenario.FactsAt(scale),
            Run = options.Identity.Run ?? DefaultRun,
            Instance = options.Identity.Instance ?? Environment.MachineName,
        });
    }

    private static WorkloadJob Of(CommandRun<WorkloadOptions> command, IReadOnlyList<PhasePlan> phases)
    {
        var options = command.Options.Values;
        return Checked(command.Surroundings, options.Target, command.Options, new WorkloadJob
        {
            Phases = phases,
            Targets = [],
            Running = options.Running,
            Identity = options.Identity,
            Output = options.Output,
            Effective = () => command.Options.Effective,
            Run = options.Identity.Run ?? DefaultRun,
            Instance = options.Identity.Instance ?? Environment.MachineName,
        });
    }

    private static WorkloadJob Checked<TOptions>(
        CommandSurroundings surroundings, TargetOptions target, BoundOptions<TOptions> bound, WorkloadJob job)
    {
        var operations = job.Phases.SelectMany(phase => phase.Mix.Operations)
            .Select(operation => operation.Name)
            .Distinct()
            .ToList();
        var problems = job.Phases.Select(phase => phase.Problem())
            .Concat(job.Output.Thresholds.Select(threshold => WorkloadMetrics.Problem(threshold, operations)))
            .OfType<string>()
            .Distinct()
            .ToList();
        if (target.Driver == DriverKind.StackExchange)
            problems.AddRange(ClientLaneRules.Problems(job));
        if (RoutingProblem(target, job.Running) is { } problem)
            problems.Add(problem);
        if (problems.Count > 0)
            throw new ConfigurationException(problems);
        bound.Resolve("--run", job.Run);
        bound.Resolve("--instance", job.Instance);
        return job with
        {
            Driver = target.Driver,
            IsTargetGiven = target.Given.Count > 0,
            Targets = TargetResolution.Resolve(target, surroundings.Environment, PasswordPrompt.Ask),
        };
    }

    private static string? RoutingProblem(TargetOptions target, RunningOptions running)
    {
        var endpoints = target.Endpoints.Select(text => RedisEndpoint.Parse(text)).ToList();
        var hasSentinels = endpoints.Exists(endpoint => endpoint.Topology == EndpointTopology.Sentinel);
        return (running.ReadFrom, endpoints.Count) switch
        {
            (not ReadPreference.Primary, 0) =>
                "--read-from: the in-process server has no replicas; --redis says whose to read",
            (not ReadPreference.Primary, > 1) =>
                "--read-from: replicas are found from one server; give one --redis, that of the primary, "
                + "or a cluster's",
            (_, > 1) when hasSentinels =>
                "--redis: a service of Sentinels is one target; give it alone, with all its Sentinels in it",
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
        { Given = GivenTexts.Of(command.Options, PhaseCatalogue.ForLoad()) };

    private static PhasePlan RunPhase(CommandRun<WorkloadOptions> command) =>
        new("run", isLoad: false, command.Options.Values.Phase.With(options =>
        {
            if (IsSelfContained(command) && options is { Duration: null, Operations: null })
                options.Duration = DemonstrationDuration;
        }))
        { Given = GivenTexts.Of(command.Options, PhaseCatalogue.ForRun()) };

    private static bool IsSelfContained(CommandRun<WorkloadOptions> command) =>
        command.Options.Values.Target.Endpoints.Count == 0;
}
