using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reading.Pushes;
using RedisLatency.Replication.Delay.Reporting;

namespace RedisLatency.Replication.Delay;

/// <summary>What <c>delay run</c> does in each phase.</summary>
internal sealed class DelayRun(
    CommandRun<DelayOptions> command,
    StandardOutput output,
    DelayResults results,
    ILogger<DelayRun> logger) : IMeasuredRun, IDisposable
{
    private const string OnePairOnly = "No endpoint was given: two servers in this process, and nobody's replication.";

    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly List<IDisposable> _owned = [];
    private ResolvedTarget _source = null!;
    private ResolvedTarget _destination = null!;
    private LinkCheck? _check;
    private KeySession? _session;
    private ReadingKind _reading;
    private LinkWatch? _watch;
    private DelayIntervals? _intervals;

    private DelayOptions Options => _plan.Options;

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        var pair = Options.Source is null ? StartPair() : null;
        if (pair is not null)
        {
            // Nobody acknowledges there: the forwarder is no replica.
            Options.WaitInterval = TimeSpan.Zero;
            command.Options.Resolve("--wait-interval", "0s");
        }

        Options.Target.Endpoints = [Options.Source ?? pair!.Source, Options.Destination ?? pair!.Destination];
        var targets = TargetResolution.Resolve(
            Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _destination) = (targets[0], targets[1]);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        InterruptibleStep.Run(() => _check = LinkCheck.Look(_source, _destination), context.Stop);
        _check!.Require();
        InterruptibleStep.Run(
            () => _reading = PushChoice.Decide(Options.Reading, _destination, Options.Prefix), context.Stop);
    }

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        if (FirstKey.Send(_source, _destination, _check!, Options, context.Stop) is { } took)
        {
            var delay = Quantity.Duration(took.Ticks * TimeSpan.NanosecondsPerTick);
            ReplicationLog.LinkIsThere(logger, _destination.Name, _source.Name, delay);
        }
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
        if (_plan.WarmUpKeys > 0)
        {
            ReplicationLog.WarmingUp(logger);
            using var warmUp = new KeySession(_plan, _reading, _plan.WarmUpKeys, _source, _destination, context.Stop);
            warmUp.Run();
        }

        if (context.Stop.IsRequested)
            return;
        results.Begin(context, _source, _destination);
        _session = Own(new KeySession(_plan, _reading, _plan.Keys, _source, _destination, context.Stop));
        _watch = Own(new LinkWatch(_source, _destination, Options, _session.Writing.Id, _session.Events));
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        _intervals = new DelayIntervals(_session!, _watch!, _plan, logger);
        results.Measure(context, $"{_source.Name} to {_destination.Name}", _intervals, () =>
        {
            try
            {
                _session!.Run();
            }
            finally
            {
                _watch!.Dispose();
            }
        });
    }

    /// <inheritdoc/>
    // Measuring ends when every key is accounted for.
    public void Drain(RunContext context) => results.End();

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        if (_session!.Trace is { } trace)
            trace.WriteTo(results.Saved.CreateLines(KeyTrace.FileName), _session.Writing);
        return results.Report(context, Outcome(context));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private DelayOutcome Outcome(RunContext context)
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var writing = _session!.Writing;
        var missingAtSource = MissingAtSource.Count(_source, _session);
        var keys = Account() with { MissingAtSource = missingAtSource ?? 0 };
        return new DelayOutcome
        {
            Keys = keys,
            Series = _intervals!.Series,
            Tally = _session.Tally,
            Sent = writing.Sent,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets =
            [
                DelayRecord.TargetOf("source", _source, _check!.Source.Server, writing.Pipeline),
                DelayRecord.TargetOf("destination", _destination, _check.Destination.Server, _session.Destination.Current),
            ],
            Events = _session.Events,
            Faults =
            [
                .. DelayVerdict.ClockFaults(), .. DelayVerdict.ReadingFaults(keys),
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, _plan, isWhole),
            ],
            Notes =
            [
                .. Options.Source is null ? [OnePairOnly] : Array.Empty<string>(),
                .. DelayVerdict.ReadingNotes(keys, _intervals.Uncertainty.Total, missingAtSource),
                .. DelayVerdict.WritingNotes(writing), .. _watch!.Notes,
            ],
        };
    }

    private ReplicationDelay Account()
    {
        var tally = _session!.Tally;
        var writing = _session.Writing;
        return new ReplicationDelay
        {
            Source = _source.Name,
            Destination = _destination.Name,
            SourceRegion = Options.SourceRegion,
            DestinationRegion = Options.DestinationRegion,
            Reading = PushChoice.NameOf(_reading),
            Clocks = "one clock: nothing to correct",
            DeadlineNs = Options.Deadline.Ticks * TimeSpan.NanosecondsPerTick,
            Asked = writing.Asked,
            Unsent = writing.Unsent,
            Refused = writing.Refused,
            Unanswered = writing.Unanswered,
            Read = tally.Read,
            Overwritten = tally.Overwritten,
            Missing = tally.MissingCount,
            Unread = writing.Sent - writing.Refused - tally.Read - tally.Overwritten - tally.MissingCount,
            Polls = _session.Reader.Polls,
            Lag = _watch!.Lag,
        };
    }

    private EmbeddedPair StartPair()
    {
        var pair = Own(EmbeddedPair.Start(EmbeddedDelay));
        if (Options.Output.Format == OutputFormat.Text && !Options.Output.Quiet)
        {
            output.WriteLine("No --source and --destination given: trying this out on two servers inside this");
            output.WriteLine($"process, joined by a forwarder of its own through a link of {EmbeddedDelay.TotalMilliseconds:0} ms. Give both to");
            output.WriteLine("measure a replication.");
            output.WriteLine();
            output.Flush();
        }

        return pair;
    }

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
