using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Lanes;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

internal sealed class WriteRun(CommandRun<DelayOptions> command, DelayResults results, ILogger<WriteRun> logger)
    : IMeasuredRun, IDisposable
{
    public const int EnoughAnswers = 20;

    private static readonly TimeSpan Lead = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BetweenAnnouncements = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly SessionEvents _events = new();
    private ResolvedTarget _source = null!;
    private ResolvedTarget _control = null!;
    private WritingPlaces? _places;
    private IReadOnlyList<EndFacts> _facts = [];
    private WritingSession? _writing;
    private OwnClock? _clock;
    private Announcer? _announcer;
    private WaitProbes? _waits;
    private WriteIntervals? _intervals;

    private DelayOptions Options => _plan.Options;

    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        Options.Target.Endpoints = [Options.Source!, Options.Control ?? Options.Source!];
        var targets = TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _control) = (targets[0], targets[1]);
    }

    public void Connect(RunContext context)
    {
        InterruptibleStep.Run(
            () =>
            {
                var facts = EndFacts.Look("--source", _source);
                // Any node stands for its cluster.
                if (!facts.IsInCluster)
                    facts.RequireSource();
                _places = WritingPlaces.Find(facts, Options, _events);
                _facts = [.. _places.Places.Select(place => EndFacts.Look("--source", place.Require()))];
            },
            context.Stop);
    }

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
        _writing = new WritingSession(
            _plan, _plan.Keys, [.. _places!.Shards.Zip(_places.Places, (shard, place) => (shard.Prefix, place))], _events,
            context.Stop);
        if (Options.Publish)
            _writing.PublishOn(PushSubscription.ChannelOf(KeyNames.Begin(Options.Prefix, _writing.Id)));
        _clock = new OwnClock(
            _writing.Id, _plan.Run, Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, _control);
        _announcer = new Announcer(_plan, _places, _writing, _clock, _source);
        ReplicationLog.WaitingForReader(logger, _plan.Run);
        using var questions = QuestionsTo(_announcer.Key, context);
        var begin = MonotonicClock.NowNs();
        while (_clock.Answered < EnoughAnswers)
        {
            _announcer.Announce(questions, 0);
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.Ticks * TimeSpan.NanosecondsPerTick)
            {
                throw new RunRefusedException(
                    $"No reader of run {_plan.Run} asked for this clock's time within "
                    + $"{Quantity.Duration(Options.PeerTimeout.Ticks * TimeSpan.NanosecondsPerTick)}. Start delay read with "
                    + $"--run {_plan.Run} where keys are replicated to, and let it reach this clock: by --control, or by "
                    + $"--probe here.{(_clock.Problem is { } problem ? $" {problem}" : string.Empty)}");
            }

            // Two writers of one run in step would hide each other from a reader that could tell it.
            if (context.Stop.WaitUntilRequested(BetweenAnnouncements * (0.5 + Random.Shared.NextDouble())))
                return;
        }
    }

    public void WarmUp(RunContext context)
    {
        if (!context.Stop.IsRequested)
            results.Begin(context, _source, _control);
    }

    public void Measure(RunContext context)
    {
        _waits = new WaitProbes(
            _places!.Shards.Zip(_places.Places, (shard, place) => (shard.Prefix, place)), _writing!.Id, Options.Expiry,
            Options.WaitInterval);
        _intervals = new WriteIntervals(_writing, _waits, _clock!, _plan, logger);
        // The delays are the reader's; what is known here is what WAIT took.
        var description = results.Describe($"{_source.Name} written") with { Latency = "WAIT", Returned = null };
        results.Measure(context, description, _intervals, () =>
        {
            using var waits = _waits;
            using var watch = new EndWatchers(_places!.Places, Options.WatchInterval, _events);
            using var questions = QuestionsTo(_announcer!.Key, context);
            var start = MonotonicClock.NowNs() + (Lead.Ticks * TimeSpan.NanosecondsPerTick);
            _announcer.Announce(questions, start);
            _writing.Start(start);
            _writing.Join();
        });
        _writing.ThrowIfFailed();
    }

    public void Drain(RunContext context)
    {
        results.End();
        if (_intervals is null)
            return;
        using (var questions = QuestionsTo(_announcer!.EndKey, context))
            _announcer.TellEnd(questions);
        using (var questions = QuestionsTo(_announcer.Key, context))
            _announcer.Withdraw(questions);

        // The reader asks until its last key is accounted for.
        if (context is { StoppedBy: null, Failure: null })
            ReplicationLog.WaitingForReaderToEnd(logger);
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

    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        var writing = _writing!;
        var isWhole = context.StoppedBy is null && context.Failure is null;
        _intervals.Lateness.Total.AddMissing(writing.Unsent);
        _waits!.CountMissing();
        return results.Report(context, new DelayOutcome
        {
            Keys = new ReplicationDelay
            {
                Source = _source.Name,
                Destination = "another process",
                ReadElsewhere = true,
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
            Targets =
            [
                .. _facts.Select((facts, place) => DelayRecord.TargetOf(
                    _places!.Places[place].Label, facts.Target, facts.Server, writing.PipelineTo(place)))
                    .DistinctBy(target => target.Endpoint),
            ],
            Events = _events,
            Faults =
            [
                .. DelayVerdict.ClockFaults(),
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, _plan, isWhole),
            ],
            Notes =
            [
                "Written here and read elsewhere: the delays are in the result of delay read.",
                .. DelayVerdict.WritingNotes(writing), .. _waits.Notes, .. ReaderNotes(),
            ],
        });
    }

    public void Dispose()
    {
        _clock?.Dispose();
        _writing?.Dispose();
        _places?.Dispose();
    }

    // Who reads asks many times a second, to the last key.
    private IEnumerable<string> ReaderNotes()
    {
        var unasked = _intervals!.Unasked;
        if (unasked > Silence)
        {
            yield return $"No reader had asked for this clock's time for {Quantity.Duration(unasked.TotalNanoseconds)} when "
                + "writing ended: it was gone.";
        }
    }

    // Who has lost the source already does not wait for it once more.
    private KeyQuestions QuestionsTo(string key, RunContext context) => new(
        _places!.PlaceOf(key), context.Failure is null ? Options.ReconnectTimeout : TimeSpan.Zero, context.Stop);
}
