using RedisLatency.Fleet;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Fleet.Results;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Members;

/// <summary>A run as one of several processes lives it; the events in its record are those of its members.</summary>
public sealed class FleetRun
{
    private const string EventKind = "member";

    // After this a process that is late by as much says so.
    private const long TolerableLatenessNs = 5_000_000;

    private static readonly TimeSpan SendPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan SendLimit = TimeSpan.FromSeconds(30);

    private readonly FleetPlan _plan;
    private readonly RunContext _run;
    private readonly ControlClient _control;
    private readonly FleetMembership _member;
    private readonly IntervalSender? _sender;
    private readonly SessionEvents _events = new();
    private int _barriers;
    private bool _isTold;

    private FleetRun(
        FleetPlan plan, RunContext run, ControlClient control, FleetMembership member, IntervalSender? sender) =>
        (_plan, _run, _control, _member, _sender) = (plan, run, control, member, sender);

    /// <summary>Which member of its role this is, from 0.</summary>
    public int Index => Roster.At(_member.Place).Index;

    /// <summary>How many of its role there are.</summary>
    public int Count => Roster.CountOf(_plan.Settings.Role);

    /// <summary>The Redis where they meet: its password is in no result, either.</summary>
    public ResolvedTarget Control => _plan.Control;

    /// <summary>What happened, for the record.</summary>
    public IReadOnlyList<RunEvent> Events => _events.ToRecord();

    /// <summary>What the record says of it: which member this is, and what became of others.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            yield return $"This is {Name} of the run; report merge puts them together.";
            foreach (var told in _member.Told.Where(one => one.Kind is FleetEvent.Dead or FleetEvent.Stopped))
            {
                yield return told.Kind == FleetEvent.Dead && told.Member == _member.Place
                    ? "The other members took this one for dead: it could not renew its lease."
                    : $"{Roster.NameOf(told.Member)} ({told.Instance}) "
                        + (told.Kind == FleetEvent.Dead ? "is dead: its lease ran out." : "was stopped by a signal.");
            }
        }
    }

    // Among those of its role, or among all regions.
    private string Name => Roster.IsOfRegions
        ? $"{Roster.NameOf(_member.Place)} of {Quantity.Count(Roster.Count)}"
        : $"{_plan.Settings.Role} {Quantity.Count(Index)} of {Quantity.Count(Count)}";

    private FleetRoster Roster => _plan.Settings.Roster;

    /// <summary>Lives a run as a member, and tells the others where it fails.</summary>
    /// <param name="plan">Which member this is.</param>
    /// <param name="run">The run.</param>
    /// <param name="body">What the service does.</param>
    /// <exception cref="FleetException">Another process has its place, or the run is of another kind.</exception>
    /// <exception cref="RedisException">The control Redis cannot be used.</exception>
    public static int Live(FleetPlan plan, RunContext run, Func<FleetRun, int> body)
    {
        using var control = InterruptibleStep.Run(
            () => ControlClient.Open(plan.Control.Endpoint, plan.Control.Connection), run.Stop);
        var isStreamed = !InterruptibleStep.Run(plan.IsControlMeasured, run.Stop);
        plan = plan with { Settings = plan.Settings with { IsStreamed = isStreamed } };
        using var member = FleetMembership.Join(control, plan.Settings, run.EndBecause, run.Stop.Cancellation);
        using var sender = isStreamed ? new IntervalSender(control, plan.Settings.Run, member, run.Logger) : null;
        var fleet = new FleetRun(plan, run, control, member, sender);
        FleetLog.Joined(run.Logger, fleet.Name, plan.Settings.Run, control.Name);
        try
        {
            return body(fleet);
        }
        catch (OperationCanceledException)
        {
            fleet.TellEnd();
            throw;
        }
        catch (Exception failure)
        {
            member.Fail(failure.Message.ReplaceLineEndings(" "));
            throw;
        }
    }

    /// <summary>
    /// What is logged from now on is sent to who watches the run, too: not where that would be to what is measured.
    /// </summary>
    public void Stream(IntervalLogFile log) => log.Sender = _sender;

    /// <summary>Waits until all members are there.</summary>
    /// <exception cref="FleetException">One is missing, or has failed.</exception>
    public void Meet()
    {
        _run.Enter(RunPhase.Rendezvous);
        _member.Meet(_run.Stop.Cancellation);
        _events.Note(EventKind, $"all {Quantity.Count(_member.Count)} members are there");
        FleetLog.Met(_run.Logger, _member.Count);
    }

    /// <summary>Waits for the others before a phase.</summary>
    /// <returns>When all of them start, in nanoseconds of this host's monotonic clock.</returns>
    /// <exception cref="FleetException">A member has failed.</exception>
    public long AwaitStart() => AwaitStart(_run.Stop.Cancellation);

    /// <summary>Waits for others to measure: until they have started, and then until they have ended.</summary>
    /// <param name="stop">Ends the waiting.</param>
    /// <exception cref="FleetException">A member has failed.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public void AwaitOthers(CancellationToken stop)
    {
        AwaitStart(stop);
        _member.AwaitEnd(stop);
    }

    /// <summary>Waits until all have measured; tells the others where this one was stopped, or failed.</summary>
    public void End()
    {
        if (!_run.IsWhole || _run.Stop.IsRequested)
            TellEnd();
        else
            _run.Drain(AwaitEnd);
        foreach (var told in _member.Told)
            _events.Note(EventKind, $"{Roster.NameOf(told.Member)} ({told.Instance}) {told.Kind}: {told.Text}");
    }

    /// <summary>Sends what this member has saved; where that cannot be, its folder is there to be merged.</summary>
    public void Send(string? folder)
    {
        if (folder is null)
            return;
        var results = new FleetResults(_control, _plan.Settings.Run);
        var startNs = MonotonicClock.NowNs();
        while (true)
        {
            try
            {
                results.Send(_member, _plan.Settings, folder);
                FleetLog.Sent(_run.Logger, _control.Name, _plan.Settings.Run);
                return;
            }
            catch (RedisException failure)
            {
                var isOver = MonotonicClock.NowNs() - startNs > SendLimit.InNanoseconds;
                if (isOver || failure is RedisServerException)
                {
                    FleetLog.NotSent(_run.Logger, folder, failure.Message);
                    return;
                }
            }
            catch (Exception failure) when (failure is FleetException or IOException or UnauthorizedAccessException)
            {
                FleetLog.NotSent(_run.Logger, folder, failure.Message);
                return;
            }

            Pacer.WaitUntil(MonotonicClock.NowNs() + SendPause.InNanoseconds);
        }
    }

    private long AwaitStart(CancellationToken stop)
    {
        var start = _member.AwaitStart(++_barriers, stop);
        _sender?.BeginAt(start.AtNs);
        var lateNs = MonotonicClock.NowNs() - start.AtNs;
        var at = DateTimeOffset.UnixEpoch + TimeSpan.FromNanoseconds(start.ServerNs);
        _events.Note(
            EventKind,
            $"start {_barriers} at {at:O} by the control server's clock ± {start.ErrorNs / 1e6:0.000} ms");
        if (lateNs > TolerableLatenessNs)
            _events.Note(EventKind, $"heard of start {_barriers} only {lateNs / 1e6:0} ms after it");
        return start.AtNs;
    }

    private void AwaitEnd()
    {
        try
        {
            _member.AwaitEnd(_run.Stop.Cancellation);
        }
        catch (OperationCanceledException)
        {
            TellEnd();
        }
    }

    private void TellEnd()
    {
        if (_isTold)
            return;
        _isTold = true;
        if (_run.Failure is { } failure)
            _member.Fail(failure.Message);
        else
            _member.TellStopped();
    }
}
