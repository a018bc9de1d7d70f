using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

internal sealed class WriteRun(DelayPlan plan, RunContext run)
{
    public const int EnoughAnswers = 20;

    private static readonly TimeSpan Lead = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BetweenAnnouncements = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    private readonly SessionEvents _events = new();

    private DelayOptions Options => plan.Options;

    public int Run()
    {
        using var side = new SourceSide(plan, _events);

        run.Enter(RunPhase.Connect);
        side.Connect(run.Stop);

        run.Enter(RunPhase.Rendezvous);
        using var writing = new WritingSession(plan, plan.Keys, side.Streams, _events, run.Stop);
        var announcer = side.Answer(writing.Id, writing.Writers);
        AwaitReader(side, announcer);

        run.Enter(RunPhase.WarmUp);
        using var recording = plan.Record(run, [side.Source, side.Control]);
        using var waits = new WaitProbes(side.Streams, writing.Id, Options.Expiry, Options.WaitInterval);
        var intervals = new WriteIntervals(writing, waits, announcer.Clock, run.Logger);
        recording.Measure(() => Write(side, announcer, writing, waits, intervals, recording));
        run.Drain(() => AwaitEndOfReader(side, announcer, writing));

        run.Enter(RunPhase.Report);
        var outcome = Outcome(side, announcer, writing, waits, intervals);
        return recording.Finish(recording.Describe(outcome.ToFindings(plan)));
    }

    private void AwaitReader(SourceSide side, Announcer announcer)
    {
        ReplicationLog.WaitingForReader(run.Logger, plan.Run);
        using var questions = QuestionsTo(side, announcer);
        var begin = MonotonicClock.NowNs();
        while (announcer.Clock.Answered < EnoughAnswers)
        {
            announcer.Announce(questions, 0);
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.InNanoseconds)
            {
                throw new RunRefusedException(
                    $"No reader of run {plan.Run} asked for this clock's time within "
                    + $"{Quantity.Duration(Options.PeerTimeout.InNanoseconds)}. Start delay read with "
                    + $"--run {plan.Run} where keys are replicated to, and let it reach this clock: by --control, or "
                    + $"by --probe here.{(announcer.Clock.Problem is { } problem ? $" {problem}" : string.Empty)}");
            }

            // Two writers of one run in step would hide each other from a reader that could tell it.
            if (run.Stop.WaitUntilRequested(BetweenAnnouncements * (0.5 + Random.Shared.NextDouble())))
                return;
        }
    }

    private void Write(
        SourceSide side, Announcer announcer, WritingSession writing, WaitProbes waits, WriteIntervals intervals,
        RunRecording recording)
    {
        // The delays are the reader's; what is known here is what WAIT took.
        var description = plan.Describe($"{side.Source.Name} written") with { Latency = "WAIT", Returned = null };
        using (var reporter = recording.Report(intervals.Metrics, intervals.End, description))
        {
            try
            {
                using var ending = waits;
                using var watch = new NodeWatchers(side.Places, Options.WatchInterval, _events);
                using var questions = QuestionsTo(side, announcer);
                var start = MonotonicClock.NowNs() + Lead.InNanoseconds;
                announcer.Announce(questions, start);
                writing.Start(start);
                writing.Join();
            }
            finally
            {
                reporter.Stop();
            }
        }

        writing.ThrowIfFailed();
    }

    // The reader asks until its last key is accounted for.
    private void AwaitEndOfReader(SourceSide side, Announcer announcer, WritingSession writing)
    {
        using (var questions = QuestionsTo(side, announcer))
            announcer.TryAnnounce(questions, writing.StartNs, MonotonicClock.NowNs(), WritingEnd.Of(writing));
        if (run is { Stop.IsRequested: false, Failure: null })
            ReplicationLog.WaitingForReaderToEnd(run.Logger);
        var answered = announcer.Clock.Answered;
        var last = MonotonicClock.NowNs();
        while (MonotonicClock.NowNs() - last < Silence.InNanoseconds
            && !run.Stop.WaitUntilRequested(BetweenAnnouncements))
        {
            if (announcer.Clock.Answered == answered)
                continue;
            answered = announcer.Clock.Answered;
            last = MonotonicClock.NowNs();
        }
    }

    private DelayOutcome Outcome(
        SourceSide side, Announcer announcer, WritingSession writing, WaitProbes waits, WriteIntervals intervals)
    {
        intervals.Lateness.Total.AddMissing(writing.Counts.Unsent);
        waits.CountMissing();
        return new DelayOutcome
        {
            Keys = writing.Counts.In(new ReplicationDelay
            {
                Source = side.Source.Name,
                Destination = "another process",
                ReadElsewhere = true,
                Reading = "another process",
                Clocks = $"it asked this clock {Quantity.Count(announcer.Clock.Answered)} times",
                DeadlineNs = 0,
                Asked = 0,
            }),
            Metrics = intervals.Metrics,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets = side.Servers(writing.PipelineTo),
            Events = _events,
            Faults =
            [
                .. DelayVerdict.UnwrittenFaults(writing),
                .. DelayVerdict.WritingFaults(writing, intervals.Lateness.Total, plan, run.IsWhole),
            ],
            Notes =
            [
                "Written here and read elsewhere: the delays are in the result of delay read.",
                .. DelayVerdict.WritingNotes(writing), .. waits.Notes, .. ReaderNotes(intervals.Unasked),
            ],
        };
    }

    // Who reads asks many times a second, to the last key.
    private static IEnumerable<string> ReaderNotes(TimeSpan unasked)
    {
        if (unasked > Silence)
        {
            yield return "No reader had asked for this clock's time for "
                + $"{Quantity.Duration(unasked.TotalNanoseconds)} when "
                + "writing ended: it was gone.";
        }
    }

    // Who has lost the source already does not wait for it once more.
    private KeyQuestions QuestionsTo(SourceSide side, Announcer announcer) => new(
        side.PlaceOf(announcer.Key), run.Failure is null ? Options.ReconnectTimeout : TimeSpan.Zero, run.Stop);
}

internal sealed class WriteIntervals
{
    private readonly WritingSession _writing;
    private readonly EventReporter _events;
    private readonly MetricSeries? _wait;
    private readonly OwnClock _clock;
    private long _answered;
    private long _answeredNs = MonotonicClock.NowNs();
    private long _takenNs = MonotonicClock.NowNs();

    public WriteIntervals(WritingSession writing, WaitProbes waits, OwnClock clock, ILogger logger)
    {
        (_writing, _clock, _events) = (writing, clock, new EventReporter(writing.Events, logger));
        Lateness = writing.NewLateness();
        Metrics = DelayMetrics.Of(
            tally: null, () => KeyCounts.Of(writing.KeyWriters), errorNs: null, [Lateness, .. waits.Series]);
        _wait = waits.Series is [var first, ..] ? first : null;
    }

    public MetricSet Metrics { get; }
    public MetricSeries Lateness { get; }

    public TimeSpan Unasked => TimeSpan.FromNanoseconds(_takenNs - _answeredNs);

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _takenNs = MonotonicClock.NowNs();
        if (_clock.Answered > _answered)
            (_answered, _answeredNs) = (_clock.Answered, _takenNs);
        _events.Report();
        _writing.Describe(ref snapshot);
        if (_wait is not null)
        {
            snapshot.SentInterval = LatencyFigures.Of(_wait.Interval);
            snapshot.SentRun = LatencyFigures.Of(_wait.Total);
        }
    }
}
