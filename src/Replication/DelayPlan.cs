using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication;

internal sealed class DelayPlan
{
    internal const long CheckedKeys = 1_000;

    private static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan HeartbeatExpiry = TimeSpan.FromHours(1);
    private static readonly TimeSpan HeartbeatWatchInterval = TimeSpan.FromSeconds(1);

    private readonly IReadOnlyDictionary<string, string> _environment;

    public DelayPlan(CommandRun<DelayOptions> command)
    {
        (Bound, _environment) = (command.Options, command.Surroundings.Environment);
        Bound.Resolve("--run", Run);
        Bound.Resolve("--instance", Instance);
        if (IsContinuous)
            SettleContinuous();
        if (Options.IsCheck)
            SettleCheck();
    }

    public BoundOptions<DelayOptions> Bound { get; }

    public DelayOptions Options => Bound.Values;

    public string Run => Options.Identity.Run ?? RunNames.DefaultRun;

    public string Instance => Options.Identity.Instance ?? RunNames.DefaultInstance;

    public Verbosity Verbosity =>
        Options.IsCheck && !Options.Output.Verbose ? Verbosity.Quiet : Options.Output.Verbosity;

    public bool IsContinuous => Options.Continuous.IsWanted;

    // From one key to the next, or from one heartbeat of a shard to the next.
    public double IntervalNs => IsContinuous ? Options.Continuous.Interval.InNanoseconds : 1e9 / Options.Rate;

    public long Keys => KeysOf(Options);

    public long Heartbeats => Options.Duration is { } duration
        ? Math.Max(1, (long)Math.Ceiling(duration / Options.Continuous.Interval))
        : long.MaxValue;

    public long WarmUpKeys => IsContinuous ? 0 : (long)Math.Ceiling(Options.Rate * Options.WarmUp.TotalSeconds);

    public TimeSpan Planned => TimeSpan.FromSeconds(Keys / Options.Rate);

    public LiveDescription Describe(string title, MetricSet metrics) =>
        LiveDescription.Of($"replication delay · {title} · run {Run}", metrics) with { Items = "keys" };

    // Of a check one line is printed, and no file is left.
    public RunRecording Record(RunContext run, IEnumerable<ResolvedTarget> targets) => new(
        run, Member, Options.Output, targets, isKept: !Options.IsCheck);

    public RunMember Member =>
        new("replication", Run, Instance, Options.Identity.Region, () => Bound.Effective);

    public IReadOnlyList<ResolvedTarget> ResolveTargets(IReadOnlyList<string> endpoints)
    {
        if (endpoints.Distinct().Count() < 2
            && (Options.Target.OtherUser ?? Options.Target.OtherPasswordFile) is not null)
            throw new ConfigurationException("--other-user, --other-password-file: there is no second endpoint");
        Options.Target.Endpoints = endpoints;
        return TargetResolution.Resolve(Options.Target, _environment, PasswordPrompt.Ask);
    }

    private void SettleCheck()
    {
        Options.Output.Live = LiveView.None;
        Options.WaitInterval = TimeSpan.Zero;
        Options.Keys ??= CheckedKeys;
        Bound.Resolve("--keys", FormattableString.Invariant($"{Options.Keys}"));
    }

    private void SettleContinuous()
    {
        if (IsLeftOut("--watch-interval"))
            Options.WatchInterval = HeartbeatWatchInterval;
        if (IsLeftOut("--reconnect-timeout"))
            Options.ReconnectTimeout = TimeSpan.MaxValue;
        // WAIT would be one more load for ever.
        Options.WaitInterval = TimeSpan.Zero;
        if (IsLeftOut("--expiry"))
            Options.Expiry = HeartbeatExpiry;
        else if (IsDeclared("--expiry") && Options.Expiry <= Options.Continuous.Interval + Options.LinkTimeout)
            throw new ConfigurationException(
                "--expiry: heartbeats must outlive the time until the next one, and --link-timeout beside");

        bool IsDeclared(string name) => Bound.Effective.Any(option => option.Name == name);
        bool IsLeftOut(string name) => IsDeclared(name) && !Bound.IsGiven(name);
    }

    public static long KeysOf(DelayOptions options)
    {
        var duration = options.Duration ?? (options.Keys is null ? DefaultDuration : null);
        var most = duration is { } time ? (long)Math.Min(1e15, Math.Ceiling(options.Rate * time.TotalSeconds))
            : long.MaxValue;
        return Math.Max(1, Math.Min(options.Keys ?? long.MaxValue, most));
    }
}
