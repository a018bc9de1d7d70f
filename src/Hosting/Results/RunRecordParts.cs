using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using ServerFacts = RedisLatency.Redis.Connections.ServerFacts;
using ThresholdResult = RedisLatency.Reports.Verdicts.ThresholdResult;

namespace RedisLatency.Hosting.Results;

/// <summary>The parts of a run record that are the same in every service.</summary>
public static class RunRecordParts
{
    // What of INFO explains a latency; the rest is bulk.
    private static readonly string[] TellingFields =
    [
        "run_id", "role", "uptime_in_seconds", "multiplexing_api", "io_threads_active", "hz", "connected_clients",
        "used_memory", "maxmemory", "maxmemory_policy", "aof_enabled", "rdb_bgsave_in_progress", "loading",
        "connected_slaves", "cluster_enabled",
    ];

    public static IReadOnlyList<RecordedOption> Options(IEnumerable<EffectiveOption> options) =>
    [
        .. options.Select(
            option => new RecordedOption(option.Name.TrimStart('-'), option.Value, SourceOf(option.Source))
            {
                Values = option.Values.Count > 1 ? option.Values : null,
            }),
    ];

    public static IReadOnlyList<RecordedPhase> Phases(RunContext context) =>
        [.. context.Phases.Where(phase => phase.Duration is not null).Select(phase => new RecordedPhase(
            NameOf(phase.Phase),
            phase.StartedAt,
            MonotonicClock.FromTimestamp(phase.StartTimestamp),
            phase.Duration!.Value.InNanoseconds))];

    public static MeasuredTarget Target(
        string name, ResolvedTarget target, LaneDescription? lane, ServerFacts? facts) =>
        new()
        {
            Name = name,
            Endpoint = target.Endpoint.Address,
            Driver = lane?.Driver ?? target.Driver.ToString(),
            DriverVersion = lane?.Version ?? string.Empty,
            Protocol = lane?.Protocol,
            Transport = lane?.Transport,
            Server = facts is { Name: not null } ? Of(facts) : null,
        };

    /// <summary>What became of a threshold.</summary>
    public static Reports.Records.ThresholdResult Threshold(
        ThresholdResult result, string? target = null) => new()
        {
            Expression = target is null ? result.Threshold.Text : $"{target}: {result.Threshold.Text}",
            // A lower bound is no measured value; the reason has it.
            Measured = result.Missing > 0 ? null : result.Actual,
            Held = result.Outcome switch
            {
                ThresholdOutcome.Met => true,
                ThresholdOutcome.Missed => false,
                _ => null,
            },
            Reason = result.ToString(target),
        };

    private static Reports.Records.ServerFacts Of(ServerFacts facts) => new()
    {
        Name = facts.Name!,
        Version = facts.Version ?? "unknown",
        Mode = facts.Mode,
        OperatingSystem = facts.OperatingSystem,
        Facts = TellingFields.Where(facts.Fields.ContainsKey)
            .ToDictionary(field => field, field => facts.Fields[field]),
    };

    private static string NameOf(RunPhase phase) => phase.ToString().ToLowerInvariant();

    private static OptionSource SourceOf(string source) => source switch
    {
        "default" => OptionSource.Default,
        "command line" => OptionSource.CommandLine,
        _ when source.StartsWith("environment", StringComparison.Ordinal) => OptionSource.Environment,
        _ => OptionSource.File,
    };
}
