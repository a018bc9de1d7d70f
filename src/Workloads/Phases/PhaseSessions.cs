using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
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

    public PhaseSessions(WorkloadJob job, StandardOutput output)
    {
        _job = job;
        var targets = job.Targets;
        if (job.IsSelfContained || job.Running.Floor)
        {
            Introduce(output);
            _server = EmbeddedServer.Start();
            ResolvedTarget[] inProcess =
                [new(RedisEndpoint.Parse(_server.Endpoint), new RedisConnectionOptions(), job.Options.Target.Driver)];
            if (job.IsSelfContained)
                targets = inProcess;
            else
                FloorLoad = AddFloor(inProcess);
        }

        foreach (var phase in job.Phases)
            Add(phase, targets);
    }

    public IReadOnlyList<PhaseSession> All => _all;

    public PhaseSession First => _all.First(session => !session.IsFloor);

    /// <summary>Writes what the floor reads; null where there is none, or where it is a load itself.</summary>
    public PhaseSession? FloorLoad { get; }

    public void Dispose()
    {
        FloorLoad?.Dispose();
        _all.ForEach(session => session.Dispose());
        _server?.Dispose();
    }

    private void Introduce(StandardOutput output)
    {
        if (_job.IsTargetGiven || _job.Output.Format != OutputFormat.Text)
            return;
        output.WriteLine("No --redis given: measuring a server inside this process, which is what this tool");
        output.WriteLine("can do at most. Give --redis ENDPOINT to measure a server.");
        output.WriteLine();
        output.Flush();
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

    private void Add(PhasePlan phase, IReadOnlyList<ResolvedTarget> targets)
    {
        var number = _all.Count(session => !session.IsFloor) + 1;
        var tag = _job.Phases.Count == 1 ? string.Empty : number.ToString(CultureInfo.InvariantCulture);
        _all.Add(new PhaseSession(phase, tag, targets, _job.Running) { IsInProcess = _job.IsSelfContained });
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
