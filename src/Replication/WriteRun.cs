using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication;

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
        using var writing = new KeySession(plan, plan.Keys, side.Streams, _events, run.Stop);
        side.Answer(writing.Id, writing.Writers);
        AwaitReader(side);

        run.Enter(RunPhase.WarmUp);
        using var recording = plan.Record(run, [side.Source, side.Control]);
        using var waits = new WaitProbes(side.Streams, writing.Id, Options.Expiry, Options.WaitInterval);
        var metrics = writing.NewMetrics(waits.Series);
        var events = new EventReporter(_events, run.Logger);
        recording.Measure(() =>
        {
            // The delays are the reader's; what is known here is what WAIT took.
            var description = plan.Describe($"{side.Source.Name} written") with { Latency = "wait", Returned = null };
            using var reporter = recording.Report(metrics, EndInterval, description);
            try
            {
                using var ending = waits;
                using var watch = new NodeWatchers(side.Places, Options.WatchInterval, _events);
                using var questions = QuestionsTo(side);
                var start = MonotonicClock.NowNs() + Lead.InNanoseconds;
                side.Announce(questions, start);
                writing.Start(start);
                writing.Join();
            }
            finally
            {
                reporter.Stop();
            }

            writing.ThrowIfFailed();
        });
        run.Drain(() => AwaitEndOfReader(side, writing));

        run.Enter(RunPhase.Report);
        return recording.Finish(recording.Describe(Outcome(side, writing, waits, metrics).ToFindings(plan, run)));

        void EndInterval(in TakenInterval interval, ref LiveSnapshot snapshot)
        {
            side.Clock.LookForQuestions();
            events.Report();
            writing.Describe(ref snapshot);
            if (waits.Series is [var wait, ..])
                snapshot.Take(wait, LiveColumn.Latency);
        }
    }

    private void AwaitReader(SourceSide side)
    {
        ReplicationLog.WaitingForReader(run.Logger, plan.Run);
        using var questions = QuestionsTo(side);
        var begin = MonotonicClock.NowNs();
        while (side.Clock.Answered < EnoughAnswers)
        {
            side.Announce(questions, 0);
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.InNanoseconds)
            {
                throw new RunRefusedException(
                    $"No reader of run {plan.Run} asked for this clock's time within "
                    + $"{Quantity.Duration(Options.PeerTimeout.InNanoseconds)}. Start delay read with "
                    + $"--run {plan.Run} where keys are replicated to, and let it reach this clock: by --control, or "
                    + $"by --probe here.{(side.Clock.Problem is { } problem ? $" {problem}" : string.Empty)}");
            }

            // Two writers of one run in step would hide each other from a reader that could tell it.
            if (run.Stop.WaitUntilRequested(BetweenAnnouncements * (0.5 + Random.Shared.NextDouble())))
                return;
        }
    }

    // The reader asks until its last key is accounted for.
    private void AwaitEndOfReader(SourceSide side, KeySession writing)
    {
        using (var questions = QuestionsTo(side))
            side.TryAnnounce(questions, writing.StartNs, MonotonicClock.NowNs(), WritingEnd.Of(writing));
        if (run is { Stop.IsRequested: false, Failure: null })
            ReplicationLog.WaitingForReaderToEnd(run.Logger);
        var answered = side.Clock.Answered;
        var last = MonotonicClock.NowNs();
        while (MonotonicClock.NowNs() - last < Silence.InNanoseconds
            && !run.Stop.WaitUntilRequested(BetweenAnnouncements))
        {
            if (side.Clock.Answered == answered)
                continue;
            answered = side.Clock.Answered;
            last = MonotonicClock.NowNs();
        }
    }

    private DelayOutcome Outcome(SourceSide side, KeySession writing, WaitProbes waits, MetricSet metrics)
    {
        writing.Lateness.Total.AddMissing(writing.Written.Unsent);
        waits.CountMissing();
        return new DelayOutcome
        {
            Keys = new ReplicationDelay
            {
                Source = side.Source.Name,
                Destination = "another process",
                ReadElsewhere = true,
                Reading = "another process",
                Clocks = $"it asked this clock {Quantity.Count(side.Clock.Answered)} times",
                DeadlineNs = 0,
                Unanswered = writing.Written.Unanswered,
            },
            Metrics = metrics,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets = side.Servers(writing.PipelineTo),
            Events = _events,
            Faults =
            [
                .. DelayVerdict.UnwrittenFaults(writing),
                .. DelayVerdict.WritingFaults(side.Source.Name, writing, plan, run.IsWhole),
            ],
            Notes =
            [
                "Written here and read elsewhere: the delays are in the result of delay read.",
                .. DelayVerdict.WritingNotes(writing), .. waits.Notes, .. ReaderNotes(side.Clock.Unasked),
            ],
        };
    }

    // Who reads asks many times a second, to the last key.
    private static IEnumerable<string> ReaderNotes(TimeSpan unasked)
    {
        if (unasked > Silence)
        {
            yield return "No reader had asked for this clock's time for "
                + $"{Quantity.Duration(unasked.TotalNanoseconds)} when writing ended: it was gone.";
        }
    }

    // Who has lost the source already does not wait for it once more.
    private KeyQuestions QuestionsTo(SourceSide side) =>
        side.OpenQuestions(run.Failure is null ? Options.ReconnectTimeout : TimeSpan.Zero, run.Stop);
}
