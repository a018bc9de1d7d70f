using System.Globalization;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

/// <summary>Everything that is measured, one after the other: this tool's own floor, and the phases.</summary>
internal sealed class PhaseSessions : IDisposable
{
    private const long MostFloorRecords = 100_000;

    private static readonly TimeSpan FloorLength = TimeSpan.FromSeconds(2);

    private readonly WorkloadJob _job;
    private readonly List<PhaseSession> _all = [];
    private readonly EmbeddedServer? _server;
    private readonly IReadOnlyList<ResolvedTarget> _targets;

    public PhaseSessions(WorkloadJob job, ILogger logger)
    {
        _job = job;
        var targets = job.Targets;
        if (job.IsSelfContained || job.Running.Floor)
        {
            if (!job.IsTargetGiven)
                WorkloadsLog.NoServer(logger);
            _server = EmbeddedServer.Start();
            ResolvedTarget[] inProcess =
                [new(RedisEndpoint.Parse(_server.Endpoint), new RedisConnectionOptions(), job.Options.Target.Driver)];
            if (job.IsSelfContained)
                targets = inProcess;
            else
                FloorLoad = AddFloor(inProcess);
        }

        _targets = targets;
        foreach (var phase in job.Phases)
        {
            if (job.IsComparison)
                AddTurns(phase);
            else
                Add(phase, targets);
        }
    }

    public IReadOnlyList<PhaseSession> All => _all;

    /// <summary>The first phase of each target: of one, unless two are compared.</summary>
    public IReadOnlyList<PhaseSession> Firsts =>
        [.. _all.Where(session => !session.IsFloor).DistinctBy(session => session.Target)];

    /// <summary>Writes what the floor reads; null where there is none, or where it is a load itself.</summary>
    public PhaseSession? FloorLoad { get; }

    /// <summary>How the second target differs from the first; null where they were not compared or measured.</summary>
    public TargetComparison? Compare()
    {
        var turns = new ComparedTurns();
        // A turn of which nothing was measured is one of a pair all the same: what it lacks is not known of both.
        var measured = _all
            .Where(session => session.IsTurn && (session.HasMeasured || session.IsWhole)).ToList();
        foreach (var session in measured)
            turns.Add(session.Target == _job.Targets[0] ? 0 : 1, HeadlineOf(session).Total);
        return measured.Count == 0 ? null
            : turns.Compare(_job.Targets[0].Name, _job.Targets[1].Name, HeadlineOf(measured[0]).Metric.Name);
    }

    public void Dispose()
    {
        FloorLoad?.Dispose();
        _all.ForEach(session => session.Dispose());
        _server?.Dispose();
    }

    private PhaseSession? AddFloor(IReadOnlyList<ResolvedTarget> targets)
    {
        var phase = _job.Phases.LastOrDefault(known => !known.IsLoad) ?? _job.Phases[^1];
        _all.Add(new PhaseSession(FloorOf(phase), "floor", targets, _job.Running)
        {
            IsFloor = true,
            IsInProcess = true,
        });
        return phase.IsLoad ? null : new PhaseSession(LoadOf(phase), string.Empty, targets, _job.Running);
    }

    private static MetricSeries HeadlineOf(PhaseSession session)
    {
        var metric = session.Phase.IsOpenLoop ? WorkloadMetrics.Response : WorkloadMetrics.Service;
        return session.Metrics.Series.First(series => series.Metric.Name == metric.Name);
    }

    // What is loaded is loaded once; what is run comes in turns.
    private void AddTurns(PhasePlan phase)
    {
        var taken = new int[_job.Targets.Count];
        var turns = phase.IsLoad ? 1 : phase.Turns;
        foreach (var place in phase.IsLoad ? [0, 1] : TurnOrder.Of(turns, phase.Seed))
        {
            var target = _job.Targets[place];
            Add(phase.TurnOf(target.Name, taken[place]++, turns), [target], isTurn: !phase.IsLoad);
        }
    }

    public void AddAgain(int number)
    {
        foreach (var phase in _job.Phases.Where(phase => !phase.IsLoad))
            Add(phase.Again(number), _targets);
    }

    /// <summary>A further step of the search, where the first phase was.</summary>
    public void AddStep(PhasePlan phase) => Add(phase, _targets, isStep: true);

    private void Add(PhasePlan phase, IReadOnlyList<ResolvedTarget> targets, bool isTurn = false, bool isStep = false)
    {
        var number = _all.Count(session => !session.IsFloor) + 1;
        var isOne = _job.Phases.Count == 1 && !_job.IsComparison && _job.Search is null && _job.Running.Repeat == 1;
        var tag = isOne ? string.Empty : number.ToString(CultureInfo.InvariantCulture);
        _all.Add(new PhaseSession(phase, tag, targets, _job.Running)
        {
            IsInProcess = _job.IsSelfContained,
            IsTurn = isTurn,
            IsStep = isStep,
        });
    }

    // What loads the records that a floor run reads; few enough to take no time.
    private static PhasePlan LoadOf(PhasePlan phase) => FloorPhase("load", isLoad: true, phase, options =>
    {
        options.Verify = false;
        options.Value = phase.Content.ToString();
    });

    private static PhasePlan FloorOf(PhasePlan phase) => FloorPhase("floor", phase.IsLoad, phase, options =>
        (options.Pipeline, options.Operations, options.Duration) = (phase.Pipeline, null, FloorLength));

    private static PhasePlan FloorPhase(string name, bool isLoad, PhasePlan phase, Action<PhaseOptions> change) =>
        new(name, isLoad, phase.Options.With(options =>
        {
            (options.Records, options.TotalSize) = (Math.Min(phase.Records, MostFloorRecords), null);
            (options.Rate, options.Arrival, options.MaxInFlight) = ([], ArrivalChoice.Uniform, null);
            change(options);
        }));
}
