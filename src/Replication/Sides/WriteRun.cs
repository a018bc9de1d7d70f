using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

internal sealed class WriteRun(DelayPlan plan, DelayResults results, ILogger<WriteRun> logger)
    : IMeasuredRun, IDisposable
{
    public const int EnoughAnswers = 20;

    private static readonly TimeSpan Lead = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BetweenAnnouncements = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    private readonly SessionEvents _events = new();
    private SourceSide? _side;
    private WritingSession? _writing;
    private Announcer? _announcer;
    private WaitProbes? _waits;
    private WriteIntervals? _intervals;

    private DelayOptions Options => plan.Options;

    private SourceSide Side => _side ?? throw new InvalidOperationException("It is not resolved yet.");

    public void Resolve(RunContext context)
    {
        _side = new SourceSide(plan, _events);
        _side.Resolve();
    }

    public void Connect(RunContext context) => Side.Connect(context.Stop);

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
        _writing = new WritingSession(
            plan, plan.Keys, Side.Places.Streams, _events, context.Stop);
        _announcer = Side.Answer(_writing.Id, _writing.Writers);
        var clock = Side.Clock!;
        ReplicationLog.WaitingForReader(logger, plan.Run);
        using var questions = QuestionsTo(_announcer.Key, context);
        var begin = MonotonicClock.NowNs();
        while (clock.Answered < EnoughAnswers)
        {
            _announcer.Announce(questions, 0);
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.InNanoseconds)
            {
                throw new RunRefusedException(
                    $"No reader of run {plan.Run} asked for this clock's time within "
                    + $"{Quantity.Duration(Options.PeerTimeout.InNanoseconds)}. Start delay read with "
                    + $"--run {plan.Run} where keys are replicated to, and let it reach this clock: by --control, or "
                    + $"by --probe here.{(clock.Problem is { } problem ? $" {problem}" : string.Empty)}");
            }

            // Two writers of one run in step would hide each other from a reader that could tell it.
            if (context.Stop.WaitUntilRequested(BetweenAnnouncements * (0.5 + Random.Shared.NextDouble())))
                return;
        }
    }

    public void WarmUp(RunContext context)
    {
        if (!context.Stop.IsRequested)
            results.Begin(context, Side.Source, Side.Control);
    }

    public void Measure(RunContext context)
    {
        _waits = new WaitProbes(
            Side.Places.Streams, _writing!.Id, Options.Expiry,
            Options.WaitInterval);
        _intervals = new WriteIntervals(_writing, _waits, Side.Clock!, logger);
        // The delays are the reader's; what is known here is what WAIT took.
        var description = results.Describe($"{Side.Source.Name} written") with { Latency = "WAIT", Returned = null };
        results.Measure(context, description, _intervals.Metrics, _intervals.End, () =>
        {
            using var waits = _waits;
            using var watch = new EndWatchers(Side.Places.Places, Options.WatchInterval, _events);
            using var questions = QuestionsTo(_announcer!.Key, context);
            var start = MonotonicClock.NowNs() + Lead.InNanoseconds;
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
            _announcer.TellEnd(questions, _writing!);
        using (var questions = QuestionsTo(_announcer.Key, context))
            _announcer.Withdraw(questions);

        // The reader asks until its last key is accounted for.
        if (context is { StoppedBy: null, Failure: null })
            ReplicationLog.WaitingForReaderToEnd(logger);
        var answered = Side.Clock!.Answered;
        var last = MonotonicClock.NowNs();
        while (MonotonicClock.NowNs() - last < Silence.InNanoseconds
            && !context.Stop.WaitUntilRequested(BetweenAnnouncements))
        {
            if (Side.Clock.Answered == answered)
                continue;
            answered = Side.Clock.Answered;
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
                Source = Side.Source.Name,
                Destination = "another process",
                ReadElsewhere = true,
                Reading = "another process",
                Clocks = $"it asked this clock {Quantity.Count(Side.Clock!.Answered)} times",
                DeadlineNs = 0,
                Asked = writing.Asked,
                Unsent = writing.Unsent,
                Refused = writing.Refused,
                Unanswered = writing.Unanswered,
                Unread = writing.Sent - writing.Refused,
            },
            Metrics = _intervals.Metrics,
            Sent = writing.Sent,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets = Side.Servers(writing.PipelineTo),
            Events = _events,
            Faults =
            [
                .. DelayVerdict.ClockFaults(),
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, plan, isWhole),
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
        _writing?.Dispose();
        _side?.Dispose();
    }

    // Who reads asks many times a second, to the last key.
    private IEnumerable<string> ReaderNotes()
    {
        var unasked = _intervals!.Unasked;
        if (unasked > Silence)
        {
            yield return "No reader had asked for this clock's time for "
                + $"{Quantity.Duration(unasked.TotalNanoseconds)} when "
                + "writing ended: it was gone.";
        }
    }

    // Who has lost the source already does not wait for it once more.
    private KeyQuestions QuestionsTo(string key, RunContext context) => new(
        Side.Places.PlaceOf(key), context.Failure is null ? Options.ReconnectTimeout : TimeSpan.Zero, context.Stop);
}
