using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Workloads.Phases;

internal sealed class WorkloadRecord(
    WorkloadJob job, IReadOnlyList<PhaseSession> sessions, InstrumentWatch instrument, RunContext context)
{
    private const string Role = "workload";

    /// <summary>The record, with the exit code as far as it is known before the results are written.</summary>
    public RunRecord Create(MachineFacts machine)
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var measured = sessions.Where(session => session.HasMeasured).ToList();
        var summaries = Limited([.. measured.Select(WorkloadSummaries.Of)]);
        var pairs = measured.Zip(summaries).ToList();
        var faults = pairs.SelectMany(pair => WorkloadVerdict.Faults(pair.First, pair.Second, isWhole)).ToList();
        var notes = pairs.SelectMany(pair =>
            WorkloadVerdict.Notes(pair.First, pair.Second, instrument.Cpu));
        var thresholds = pairs.Where(pair => !pair.First.IsFloor)
            .SelectMany(pair => ThresholdsOf(pair.First, pairs.Count > 1 ? pair.Second.Name : null)).ToList();
        var hiccups = instrument.HiccupSeries;
        var outcome = RunOutcome.Of(
            context,
            faults,
            InstrumentDoubts.Of(summaries.SelectMany(WorkloadVerdict.Shown), hiccups, instrument.Cpu),
            notes,
            thresholds,
            job.Output.Strict);
        return new RunRecord
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = ProgramVersion.Text,
            Run = job.Run,
            Role = Role,
            Region = job.Identity.Region,
            Instance = job.Instance,
            Partial = !isWhole,
            PartialReason = context.Failure?.Message ?? (isWhole ? null : "stopped by a signal"),
            Options = RunRecordParts.Options(job.Effective()),
            Environment = machine,
            Targets = [.. measured.DistinctBy(session => session.Target.Name).Select(TargetOf)],
            Phases = RunRecordParts.Phases(context),
            Summaries = summaries,
            Scenario = job.Scenario,
            Hiccups = hiccups,
            GcPauses = instrument.GcPauses,
            Cpu = instrument.Cpu,
            Verdict = outcome.Verdict,
            Thresholds = thresholds,
            ExitCode = summaries.Exists(summary => summary.Counts.Wrong > 0)
                ? ExitCode.Combine(outcome.ExitCode, ExitCode.ThresholdMissed)
                : outcome.ExitCode,
        };
    }

    private List<RunSummary> Limited(List<RunSummary> summaries)
    {
        var floor = summaries.Find(summary => summary.Workload!.IsFloor);
        return
        [
            .. summaries.Select(summary => summary with
            {
                Workload = summary.Workload! with
                {
                    Limit = ThroughputLimit.Of(summary, floor, instrument.Cpu.HostBusyShare),
                },
            }),
        ];
    }

    private static MeasuredTarget TargetOf(PhaseSession session) =>
        RunRecordParts.Target(session.Target.Name, session.Target, null, session.Server.Facts) with
        {
            Driver = session.Driver.Name,
            DriverVersion = session.Driver.Version,
            Protocol = session.Driver.Protocol ?? session.Server.Reached?.Protocol,
            Transport = session.Driver.IsClientLibrary ? TransportOf(session.Target.Endpoint) : session.Driver.Loop,
            ServerCpuShare = session.Server.CpuShare,
        };

    private static string TransportOf(RedisEndpoint endpoint) =>
        $"{(endpoint.UseTls ? "tls" : endpoint.SocketPath is null ? "tcp" : "unix")}, the client's threads";

    private IEnumerable<MeasuredThreshold> ThresholdsOf(PhaseSession session, string? name)
    {
        var operations = session.Phase.Mix.Operations.Select(operation => operation.Name).ToList();
        return job.Output.Thresholds
            .Where(threshold => WorkloadMetrics.Problem(threshold, operations) is null)
            .Select(threshold => RunRecordParts.Threshold(threshold.Evaluate(session.Metrics), name));
    }
}
