using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.LivePages;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// What every run does with what it measures: a results folder, a watch over the tool itself, a report a second, the
/// record, its verdict and exit code, and what is printed of it. Made at the end of warm-up, so that what it needs is
/// allocated before anything counts.
/// </summary>
public sealed class RunRecording : IDisposable
{
    private readonly RunContext _run;
    private readonly RunMember _member;
    private readonly OutputOptions _options;
    private readonly MachineFacts _machine;
    private readonly List<MetricSet> _measured = [];
    private ResultsRotation? _rotation;
    private volatile RunSoFar _soFar = new([]);

    /// <summary>Makes the results folder, where files are kept, and begins to watch the tool itself.</summary>
    public RunRecording(
        RunContext run,
        RunMember member,
        OutputOptions options,
        IEnumerable<ResolvedTarget> targets,
        CpuDmaLatency? awake = null,
        bool isKept = true)
    {
        (_run, _member, _options) = (run, member, options);
        _machine = MachineFacts.Read() with { CpuDmaLatencyHeldMicroseconds = awake?.Microseconds };
        Saved = new SavedResults(
            isKept ? options.Folder : null, run.Phases[0].StartedAt, member.Run, member.Instance, targets, run.Logger);
        run.Page?.Follow(new PageSource(member, Saved, [.. targets.Select(target => target.Name)], () => _soFar));
        InstrumentWatch.WarmUp();
        Instrument = InstrumentWatch.Start();
    }

    /// <summary>
    /// Has the folder closed each period, and the next begun; before <see cref="Measure"/>. Without effect where the
    /// options do not ask for it.
    /// </summary>
    /// <param name="options">How often, and how long closed folders are kept.</param>
    /// <param name="period">What was measured.</param>
    public void Rotate(RotationOptions options, IMeasuredPeriod period)
    {
        if (options.Rotate is { } length && Saved.Files is not null)
            _rotation = new ResultsRotation(_run, (_member, _options.Folder), (length, options.Keep), this, period);
    }

    public SavedResults Saved { get; }
    public InstrumentWatch Instrument { get; }

    /// <summary>
    /// Goes on to Measure. What fails in it, or stops it, ends measuring: what was measured is still drained and
    /// reported.
    /// </summary>
    /// <exception cref="OperationCanceledException">The run shall end before anything was measured.</exception>
    public void Measure(Action measure)
    {
        // A collection now saves one in the measured phase: so far everything was allocated.
        GC.Collect();
        _run.Enter(RunPhase.Measure);
        Instrument.Begin();
        _rotation?.Begin();
        _run.Attempt(measure);
        Instrument.Stop();
    }

    /// <summary>Reports what a set measures, once a second, until it is stopped.</summary>
    /// <param name="set">What is measured.</param>
    /// <param name="end">What is done at the end of each.</param>
    /// <param name="description">What the live view shows.</param>
    /// <param name="path">Processes of this machine that it passes through; null for those that are elsewhere.</param>
    public IntervalReporter Report(
        MetricSet set, IntervalEnd end, LiveDescription description, params IEnumerable<ProcessorWaits?> path) =>
        Report(set, end, View(description), path);

    /// <inheritdoc cref="Report(MetricSet, IntervalEnd, LiveDescription, IEnumerable{ProcessorWaits})"/>
    public IntervalReporter Report(
        MetricSet set, IntervalEnd end, ILiveView view, params IEnumerable<ProcessorWaits?> path)
    {
        _measured.Add(set);
        Show(set);
        set.Waits = Instrument.WatchWaits(path);
        if (_rotation is not null)
            set.BeginPeriods();
        return new(
            set, end, _run, Saved.Log, Instrument, view, _rotation is null ? null : _rotation.EndPeriodAt);
    }

    /// <summary>Shows on the live page what a set counts, which is not reported here.</summary>
    public void Show(MetricSet set) => _soFar = _soFar with { Counted = [.. _soFar.Counted, set] };

    /// <summary>Marks on the live page what has happened so far.</summary>
    /// <param name="events">Gives it, on any thread.</param>
    public void Show(Func<IReadOnlyList<RunEvent>> events) => _soFar = _soFar with { Events = events };

    /// <summary>Shows on the live page what a search has found so far.</summary>
    public void Show(RateSearchResult found) => _soFar = _soFar with { Search = found };

    public ILiveView View(LiveDescription description) =>
        LiveViews.Of(_options, description, _run.Output, _run.Diagnostics, _run.Stop);

    /// <summary>The record of what was found, with the verdict and the exit code as far as they are known.</summary>
    public RunRecord Describe(RunFindings findings)
    {
        var hiccups = Instrument.HiccupSeries;
        var endedBy = findings.EndedBy
            ?? (_run.StoppedBy is not null && !findings.EndsWhenStopped ? "stopped by a signal" : null);
        var believed = Believed.Of(
            new InstrumentDoubts(Instrument.Standstills, Instrument.Cpu), findings.Shown, _options.Thresholds);
        var outcome = RunOutcome.Of(
            _run,
            findings.Faults,
            [.. findings.Doubts, .. believed.Doubt is { } doubt ? [doubt] : Array.Empty<string>()],
            [.. believed.Note is { } note ? [note] : Array.Empty<string>(), .. Silences(), .. findings.Notes],
            [.. findings.Thresholds.Where(threshold => threshold.Held is not null || !findings.ForgivesUnknown)],
            _options.Strict);
        return new RunRecord
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = ProgramVersion.Text,
            Run = _member.Run,
            Role = _member.Role,
            Region = _member.Region,
            Instance = _member.Instance,
            Partial = _run.Failure is not null || endedBy is not null,
            PartialReason = _run.Failure?.Message ?? endedBy,
            Options = RunRecordParts.Options(_member.Options()),
            Environment = _machine,
            Targets = findings.Targets,
            Phases = _rotation is { } rotation ? [rotation.Phase] : RunRecordParts.Phases(_run),
            Summaries = [.. findings.Summaries.Select(believed.Mark)],
            Forward = findings.Forward is { } forward ? believed.Mark(forward) : null,
            Hiccups = hiccups,
            GcPauses = Instrument.GcPauses,
            Cpu = Instrument.Cpu,
            Events = findings.Events,
            Verdict = outcome.Verdict with { UpTo = believed.UpTo },
            Thresholds = findings.Thresholds,
            ExitCode = outcome.ExitCode,
        };
    }

    /// <summary>Writes the record and prints it.</summary>
    /// <returns>What the process ends with: an <see cref="ExitCode"/>.</returns>
    public int Finish(RunRecord record)
    {
        var pipeline = new PipelineFiles(_options, _run.Diagnostics);
        var judged = pipeline.WriteJUnit(record);
        // Of one that is closed again and again each period has blocks of its own, which are gone.
        if (_rotation is null)
            BlockLog.Write(Saved, record, _measured);
        var written = Saved.Write(judged);
        written = written with
        {
            ExitCode = ExitCode.Combine(written.ExitCode, pipeline.AppendSummary(Saved.Folder)),
        };
        if (written.ExitCode != judged.ExitCode)
            pipeline.WriteJUnit(written);
        RecordOutput.Write(written, Saved.Folder, (_options.Format, _options.Details), Saved.Secrets, _run.Output);
        return ExitCode.Combine(written.ExitCode, _rotation?.WorstExitCode ?? ExitCode.Valid);
    }

    // Of several phases or targets each with its labels.
    private IEnumerable<string> Silences() => _measured.Where(set => set.Silence is not null).Select(set =>
    {
        var who = _measured.Count > 1
            ? $"{string.Join(", ", set.Labels.Select(label => label.Value))}: "
            : string.Empty;
        var said = $"{who}{set.Silence}.";
        return char.ToUpperInvariant(said[0]) + said[1..];
    });

    public void Dispose()
    {
        Instrument.Dispose();
        Saved.Dispose();
    }
}
