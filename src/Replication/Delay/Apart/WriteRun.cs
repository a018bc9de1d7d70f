using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Peers.Lanes;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Clocks.Identity;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Delay.Apart.Clocks;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Places;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reporting;
using RedisLatency.Replication.Delay.Writing;

namespace RedisLatency.Replication.Delay.Apart;

/// <summary>What <c>delay write</c> does in each phase.</summary>
internal sealed class WriteRun(CommandRun<DelayOptions> command, DelayResults results, ILogger<WriteRun> logger)
    : IMeasuredRun, IDisposable
{
    /// <summary>With so many answers a reader knows the offset well enough to begin.</summary>
    public const int EnoughAnswers = 20;

    private static readonly TimeSpan Lead = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BetweenAnnouncements = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);
    private const string AnnouncementLife = "10000";

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly SessionEvents _events = new();
    private ResolvedTarget _source = null!;
    private ResolvedTarget _control = null!;
    private EndFacts? _facts;
    private WritingSession? _writing;
    private OwnClock? _clock;
    private WriteIntervals? _intervals;

    private DelayOptions Options => _plan.Options;

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        Options.Target.Endpoints = [Options.Source!, Options.Control ?? Options.Source!];
        var targets = TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _control) = (targets[0], targets[1]);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        InterruptibleStep.Run(() => _facts = EndFacts.Look("--source", _source), context.Stop);
        _facts!.RequireSource();
    }

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        _writing = new WritingSession(
            _plan, _plan.Keys, [(Options.Prefix, new FixedPlace("source", _source))], _events, context.Stop);
        _clock = new OwnClock(
            _writing.Id, _plan.Run, Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, _control);
        ReplicationLog.WaitingForReader(logger, _plan.Run);
        using var control = _source.OpenControl();
        var begin = MonotonicClock.NowNs();
        while (_clock.Answered < EnoughAnswers)
        {
            Announce(control, 0);
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.Ticks * TimeSpan.NanosecondsPerTick)
            {
                throw new RunRefusedException(
                    $"No reader of run {_plan.Run} asked for this clock's time within "
                    + $"{Quantity.Duration(Options.PeerTimeout.Ticks * TimeSpan.NanosecondsPerTick)}. Start delay read with "
                    + $"--run {_plan.Run} where keys are replicated to, and let it reach this clock: by --control, or by "
                    + $"--probe here. {_clock.Problem}");
            }

            if (context.Stop.WaitUntilRequested(BetweenAnnouncements))
                return;
        }
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
        if (!context.Stop.IsRequested)
            results.Begin(context, _source, _control);
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        _intervals = new WriteIntervals(_writing!, _plan, logger);
        results.Measure(context, $"{_source.Name} written", _intervals, () =>
        {
            using var watcher = Options.WatchInterval > TimeSpan.Zero
                ? new EndWatcher(new FixedPlace("source", _source), Options.WatchInterval, _events)
                : null;
            using var control = _source.OpenControl();
            var start = MonotonicClock.NowNs() + (Lead.Ticks * TimeSpan.NanosecondsPerTick);
            Announce(control, start);
            _writing!.Start(start);
            _writing.Join();
        });
        _writing!.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Drain(RunContext context)
    {
        results.End();
        if (_intervals is null)
            return;
        using var control = _source.OpenControl();
        var writing = _writing!;
        control.Request(
            "SET", WritingEnd.KeyOf(Options.Prefix, writing.Id),
            new WritingEnd(writing.Asked, writing.Unsent, writing.Refused).Write(), "PX", Life(Options.Expiry));

        // The reader asks until its last key is accounted for.
        var answered = _clock!.Answered;
        var last = MonotonicClock.NowNs();
        while (MonotonicClock.NowNs() - last < Silence.Ticks * TimeSpan.NanosecondsPerTick
            && !context.Stop.WaitUntilRequested(BetweenAnnouncements))
        {
            if (_clock.Answered == answered)
                continue;
            answered = _clock.Answered;
            last = MonotonicClock.NowNs();
        }
    }

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        var writing = _writing!;
        var isWhole = context.StoppedBy is null && context.Failure is null;
        return results.Report(context, new DelayOutcome
        {
            Keys = new ReplicationDelay
            {
                Source = _source.Name,
                Destination = "another process",
                Reading = "another process",
                Clocks = $"it asked this clock {Quantity.Count(_clock!.Answered)} times",
                DeadlineNs = 0,
                Asked = writing.Asked,
                Unsent = writing.Unsent,
                Refused = writing.Refused,
                Unanswered = writing.Unanswered,
                Unread = writing.Sent - writing.Refused,
            },
            Series = _intervals.Series,
            Sent = writing.Sent,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets = [DelayRecord.TargetOf("source", _source, _facts!.Server, writing.PipelineTo(0))],
            Events = _events,
            Faults =
            [
                .. DelayVerdict.ClockFaults(),
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, _plan, isWhole),
            ],
            Notes =
            [
                "Written here and read elsewhere: delays are in the reader's results.",
                .. DelayVerdict.WritingNotes(writing),
            ],
        });
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _clock?.Dispose();
        _writing?.Dispose();
    }

    private static string Life(TimeSpan time) => FormattableString.Invariant($"{(long)time.TotalMilliseconds}");

    private void Announce(RedisConnection control, long startNs)
    {
        var text = new Announcement
        {
            Session = _writing!.Id,
            Keys = _plan.Keys,
            IntervalNs = _plan.IntervalNs,
            StartNs = startNs,
            Source = _source.Name,
            Region = Options.Identity.Region,
            Clock = ClockIdentity.Read(),
            ProbeKey = _clock!.RevealKey(),
            Udp = _clock.UdpAddress?.ToString(),
        }.Write();
        var life = startNs == 0 ? AnnouncementLife : Life(Options.Expiry + _plan.Planned);
        var reply = control.Request("SET", Announcement.KeyOf(Options.Prefix, _plan.Run), text, "PX", life);
        if (reply.IsError)
            throw new RunRefusedException($"--source {_source.Name} takes no keys: {reply.Text}");
    }
}
