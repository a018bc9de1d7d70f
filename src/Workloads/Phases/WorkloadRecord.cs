using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Workloads.Phases;

internal sealed class WorkloadRecord(
    WorkloadJob job, IReadOnlyList<PhaseSession> sessions, RunRecording recording)
{
    /// <summary>The record, with the exit code as far as it is known before the results are written.</summary>
    /// <param name="isWhole">Whether the run went to its end.</param>
    public RunRecord Create(bool isWhole)
    {
        var measured = sessions.Where(session => session.HasMeasured).ToList();
        var summaries = Limited([.. measured.Select(WorkloadSummaries.Of)]);
        var pairs = measured.Zip(summaries).ToList();
        var record = recording.Describe(new RunFindings
        {
            Summaries = summaries,
            Targets = [.. measured.DistinctBy(session => session.Target.Name).Select(TargetOf)],
            Faults = [.. pairs.SelectMany(pair => WorkloadVerdict.Faults(pair.First, pair.Second, isWhole))],
            Notes =
            [
                .. pairs.SelectMany(pair =>
                    WorkloadVerdict.Notes(pair.First, pair.Second, recording.Instrument.Cpu)),
            ],
            Shown = [.. summaries.SelectMany(WorkloadVerdict.Shown)],
            Thresholds =
            [
                .. pairs.Where(pair => !pair.First.IsFloor)
                    .SelectMany(pair => ThresholdsOf(pair.First, pairs.Count > 1 ? pair.Second.Name : null)),
            ],
        });
        return record with
        {
            Scenario = job.Scenario,
            ExitCode = summaries.Exists(summary => summary.Counts.Wrong > 0)
                ? ExitCode.Combine(record.ExitCode, ExitCode.ThresholdMissed)
                : record.ExitCode,
        };
    }

    private List<RunSummary> Limited(List<RunSummary> summaries)
    {
        var floor = summaries.Find(summary => WorkloadResults.Of(summary).IsFloor);
        return
        [
            .. summaries.Select(summary => summary with
            {
                Workload = WorkloadResults.Of(summary) with
                {
                    Limit = ThroughputLimit.Of(summary, floor, recording.Instrument.Cpu.HostBusyShare),
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
            .Select(threshold => RunRecordParts.Threshold(threshold.Evaluate(session.Metrics.Find(threshold)), name));
    }
}
