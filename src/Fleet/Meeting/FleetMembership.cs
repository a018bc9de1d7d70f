using System.Text.Json;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;
using RedisException = RedisLatency.Redis.RedisException;

namespace RedisLatency.Fleet.Meeting;

/// <summary>
/// A process as a member of a run: it has a place that nobody else has, waits for the others, starts when they start,
/// and hears what becomes of them. A thread renews its lease once a second; a control Redis that is away meanwhile is
/// asked again, quietly.
/// </summary>
public sealed class FleetMembership : IDisposable
{
    /// <summary>The barrier at which all are there.</summary>
    internal const int MeetingBarrier = 0;

    /// <summary>How long what members tell each other stays.</summary>
    internal static readonly TimeSpan Life = TimeSpan.FromHours(1);

    private const int NoBarrier = -1;
    private const int EndBarrier = int.MaxValue;
    private const int MostNamed = 10;

    private static readonly TimeSpan Renewal = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan PauseOfEach = TimeSpan.FromMilliseconds(1);

    private readonly Lock _gate = new();
    private readonly Lock _writing = new();
    private readonly Lock _hearing = new();
    private readonly ControlClient _control;
    private readonly FleetKeys _keys;
    private readonly FleetSettings _settings;
    private readonly OwnedKey _session;
    private readonly OwnedKey _lease;
    private readonly EventStream _events;
    private readonly RollCall _roll;
    private readonly Thread _renewing;
    private readonly TimeSpan _pause;
    private readonly Action<FleetException> _ending;
    private readonly ManualResetEventSlim _end = new();
    private readonly List<FleetEvent> _told = [];
    private readonly HashSet<int> _known = [];
    private MemberState _state;
    private readonly List<(RedisKey Key, string Text)> _starts = [];
    private string? _reason;
    private volatile bool _hasMet;

    private FleetMembership(
        ControlClient control,
        FleetKeys keys,
        FleetSettings settings,
        Seat seat,
        OwnedKey session,
        Action<FleetException> ending)
    {
        (_control, _keys, _settings, _session, _ending) = (control, keys, settings, session, ending);
        (_lease, Session, Place) = (seat.Lease, seat.Session, seat.Place);
        _events = new EventStream(control, keys.Events(Session), Life);
        _roll = new RollCall(control, keys, Session, Place, Count);
        _state = new(settings.Instance, NoBarrier, 0, HasEnded: false, settings.IsStreamed);
        _renewing = new Thread(Renew) { Name = "fleet", IsBackground = true };

        // However many wait, together they ask the control Redis two thousand times a second at most.
        _pause = TimeSpan.FromTicks(Math.Max(LeastPause.Ticks, Count * PauseOfEach.Ticks));
    }

    /// <summary>Which of all members this is, from 0.</summary>
    public int Place { get; }

    /// <summary>How many there are.</summary>
    public int Count => _settings.Roster.Count;

    /// <summary>What tells this meeting from others of the same name.</summary>
    public string Session { get; }

    /// <summary>What others have told: who died, was stopped, was refused.</summary>
    public IReadOnlyList<FleetEvent> Told
    {
        get
        {
            lock (_gate)
                return [.. _told];
        }
    }

    /// <summary>Takes a place in the run.</summary>
    /// <param name="control">Where members meet.</param>
    /// <param name="settings">Which member of what this is.</param>
    /// <param name="ending">
    /// Called once, on a thread of its own, where another member has failed, with what ends this one: it requests the
    /// stop.
    /// </param>
    /// <param name="stop">Ends every waiting.</param>
    /// <exception cref="FleetException">Another process has it, or the run is of another kind.</exception>
    /// <exception cref="RedisException">The control Redis cannot be used.</exception>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public static FleetMembership Join(
        ControlClient control, FleetSettings settings, Action<FleetException> ending, CancellationToken stop)
    {
        var deadlineNs = MonotonicClock.NowNs() + settings.Timeout.InNanoseconds;
        while (true)
        {
            try
            {
                return TryJoin(control, settings, ending, stop);
            }
            catch (RedisException failure) when (failure.IsTransient && MonotonicClock.NowNs() < deadlineNs)
            {
                // It was reached before, and the others wait for this member as long.
                stop.WaitHandle.WaitOne(Renewal);
                stop.ThrowIfCancellationRequested();
            }
        }
    }

    private static FleetMembership TryJoin(
        ControlClient control, FleetSettings settings, Action<FleetException> ending, CancellationToken stop)
    {
        var keys = new FleetKeys(settings.Run);
        var (note, text) = Agree(control, keys, settings, stop);
        var seat = Seat.Take(control, keys, settings, note.Id, stop);
        var session = new OwnedKey(control, keys.Session, text);
        var member = new FleetMembership(control, keys, settings, seat, session, ending);
        member.Change(state => state);
        member._renewing.Start();
        return member;
    }

    /// <summary>Waits until all members are there.</summary>
    /// <exception cref="FleetException">One is missing.</exception>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public void Meet(CancellationToken stop)
    {
        Await(MeetingBarrier, stop);
        _hasMet = true;
    }

    /// <summary>Waits until all members that are there have come as far, and tells when to start.</summary>
    /// <param name="number">Which barrier, from 1, the same in all members.</param>
    /// <param name="stop">Ends the waiting.</param>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public FleetStart AwaitStart(int number, CancellationToken stop) => Await(MeetingBarrier + number, stop);

    /// <summary>Waits until all members that are there have come to their end.</summary>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public void AwaitEnd(CancellationToken stop) => Await(EndBarrier, stop);

    /// <summary>Tells the others why this member ends, and so all of them; nothing where they know.</summary>
    public void Fail(string why)
    {
        if (Volatile.Read(ref _reason) is null)
            Tell(FleetEvent.Failed, Place, _settings.Instance, why);
    }

    /// <summary>Tells the others that this member was stopped; they go on.</summary>
    public void TellStopped() => Tell(FleetEvent.Stopped, Place, _settings.Instance, "stopped by a signal");

    /// <summary>Leaves: nobody waits for this member any more. The last one frees the run's name.</summary>
    public void Dispose()
    {
        _end.Set();
        if (_renewing.IsAlive && Thread.CurrentThread != _renewing)
            _renewing.Join();
        try
        {
            Change(state => state with { HasEnded = true });
            _lease.Release();
            if (!_roll.IsAnybodyThere())
                _session.Release();
        }
        catch (RedisException)
        {
            // Leases run out by themselves.
        }

        _end.Dispose();
    }

    // The first member says what the run is. A name whose members have all gone after their start is free.
    private static (SessionNote Note, string Text) Agree(
        ControlClient control, FleetKeys keys, FleetSettings settings, CancellationToken stop)
    {
        while (true)
        {
            stop.ThrowIfCancellationRequested();
            var own = new SessionNote(
                Guid.NewGuid().ToString("N")[..12], $"{settings.Roster}", settings.Version, settings.Instance);
            var text = JsonSerializer.Serialize(own, FleetJson.Default.SessionNote);
            var key = new OwnedKey(control, keys.Session, text);
            if (!key.TryTake())
                text = key.Holder();
            if (text is null || JsonSerializer.Deserialize(text, FleetJson.Default.SessionNote) is not { } note)
                continue;
            if (HasStarted(control, keys, note))
            {
                var count = FleetRoster.Read(note.Expect)?.Count ?? 0;
                if (!new RollCall(control, keys, note.Id, -1, count).IsAnybodyThere())
                {
                    new OwnedKey(control, keys.Session, text).Release();
                    continue;
                }

                throw Refuse(control, keys, settings, note, $"run {settings.Run} is under way already: it began "
                    + "without this process");
            }

            if (Difference(note, settings) is { } difference)
                throw Refuse(control, keys, settings, note, difference);
            return (note, text);
        }
    }

    private static bool HasStarted(ControlClient control, FleetKeys keys, SessionNote note) =>
        control.Ask(database => database.KeyExists(keys.Start(note.Id, MeetingBarrier)));

    private static string? Difference(SessionNote note, FleetSettings settings) => note switch
    {
        _ when note.Version != settings.Version =>
            $"version {settings.Version} on {settings.Instance} cannot measure with version {note.Version} on "
                + note.Instance,
        _ when note.Expect != $"{settings.Roster}" =>
            $"{settings.Roster.Option}: {settings.Instance} expects {settings.Roster}, and {note.Instance} "
                + note.Expect,
        _ => null,
    };

    private static FleetException Refuse(
        ControlClient control, FleetKeys keys, FleetSettings settings, SessionNote note, string why)
    {
        new EventStream(control, keys.Events(note.Id), Life).Add(
            new(FleetEvent.Refused, -1, settings.Instance, why));
        return new FleetException(why);
    }

    private FleetStart Await(int barrier, CancellationToken stop)
    {
        var deadlineNs = MonotonicClock.NowNs() + _settings.Timeout.InNanoseconds;
        var key = _keys.Start(Session, barrier);
        ServerClock? clock = null;
        var isTold = false;
        RedisException? unanswered = null;
        while (true)
        {
            stop.ThrowIfCancellationRequested();
            try
            {
                clock ??= ServerClock.Ask(_control, $"{key}");
                if (!isTold)
                    Change(state => state with { Barrier = barrier, RoundTripNs = clock.Value.RoundTripNs });
                isTold = true;

                if ((string?)_control.Ask(database => database.StringGet(key)) is { } text)
                {
                    var start = JsonSerializer.Deserialize(text, FleetJson.Default.StartNotice)!;
                    lock (_gate)
                        _starts.Add((key, text));
                    // Who died on the way here is known to all who go on.
                    Hear();
                    return new FleetStart(
                        clock.Value.ToMonotonicNs(start.AtNs), start.AtNs, clock.Value.ErrorNs);
                }

                if (_roll.IsLeader() && AreAllThere(barrier, out var longestNs, out var gone))
                {
                    gone.ForEach(TellDead);
                    Start(key, clock.Value, longestNs);
                }

                unanswered = null;
            }
            catch (RedisException failure)
            {
                // It is asked again.
                unanswered = failure;
            }

            if (barrier == MeetingBarrier && MonotonicClock.NowNs() > deadlineNs)
            {
                var missing = Missing();
                stop.ThrowIfCancellationRequested();
                throw new FleetException($"after {_settings.Timeout.TotalSeconds:0.#} s of --peer-timeout {missing}"
                    + (unanswered is null ? string.Empty : $"; asked last, {unanswered.Message}"));
            }

            stop.WaitHandle.WaitOne(_pause);
        }
    }

    private void Start(RedisKey key, ServerClock clock, long longestNs)
    {
        // Everybody looks six times in the lead, or twice where it is far away.
        var atNs = clock.ToServerNs(MonotonicClock.NowNs()) + (6 * _pause.InNanoseconds) + (4 * longestNs);
        var text = JsonSerializer.Serialize(new StartNotice(atNs), FleetJson.Default.StartNotice);
        _control.Ask(database => database.StringSet(key, text, Life, When.NotExists));
    }

    private bool AreAllThere(int barrier, out long longestNs, out List<int> gone)
    {
        var states = _roll.States();
        longestNs = states.Values.Select(state => state.RoundTripNs).DefaultIfEmpty().Max();
        var late = gone = Enumerable.Range(0, Count)
            .Where(member => !states.TryGetValue(member, out var state) || (state.Barrier < barrier && !state.HasEnded))
            .ToList();
        return barrier == MeetingBarrier
            ? late.Count == 0 && _roll.Present().Count == Count
            : late.Count == 0 || _roll.Gone().IsSupersetOf(late);
    }

    private string Missing()
    {
        try
        {
            // Who has given up just before is not missing: it has said why it ends.
            Hear();
            var states = _roll.States();
            var here = _roll.Present();
            here.RemoveWhere(member => states.GetValueOrDefault(member) is not { Barrier: >= MeetingBarrier });
            var there = here.Order().Take(MostNamed)
                .Select(member => $"{_settings.Roster.NameOf(member)} {states[member].Instance}");
            var away = _settings.Roster.NamesOf(Enumerable.Range(0, Count).Except(here).Take(MostNamed));
            var refused = Told.Where(one => one.Kind == FleetEvent.Refused).Select(one => $"; refused: {one.Text}");
            return $"{string.Join(" and ", away)} is missing "
                + $"(there: {string.Join(", ", there)}{string.Concat(refused.Distinct().Take(MostNamed))})";
        }
        catch (RedisException failure)
        {
            return $"nobody is known to be there: {failure.Message}";
        }
    }

    private void Renew()
    {
        while (!_end.Wait(Renewal))
        {
            try
            {
                Keep();
                Hear();
                if (_hasMet)
                    Watch();
            }
            catch (RedisException)
            {
                // A control Redis that is away costs nothing but that others do not see this member meanwhile.
            }
        }
    }

    private void Keep()
    {
        // All members renew it: one that was renewed meanwhile was not kept by this one.
        if (!_session.TryKeep())
        {
            // Where it was restarted, whoever finds the name finds that the run has begun, too.
            PutBackStarts();
            if (!_session.TryTake() && !_session.IsOwned())
                End($"another run has the name {_settings.Run} in the control Redis now");
        }

        // It was restarted, or this process stood still.
        if (!_lease.TryKeep())
        {
            PutBackStarts();
            if (!_lease.TryTake() && !_lease.IsOwned())
                End($"another process is {_settings.Roster.NameOf(Place)} now: {Seat.InstanceOf(_lease.Holder())}");
        }

        Change(state => state);
    }

    private void PutBackStarts()
    {
        List<(RedisKey Key, string Text)> starts;
        lock (_gate)
            starts = [.. _starts];
        foreach (var (key, text) in starts)
            _control.Ask(database => database.StringSet(key, text, Life, When.NotExists));
    }

    private void Hear()
    {
        IReadOnlyList<FleetEvent> heard;
        lock (_hearing)
            heard = _events.Read();
        foreach (var happened in heard)
        {
            if (happened.Member == Place && happened.Kind is FleetEvent.Failed or FleetEvent.Stopped)
                continue;
            lock (_gate)
            {
                if (happened.Kind != FleetEvent.Dead || _known.Add(happened.Member))
                    _told.Add(happened);
            }

            if (happened.Kind == FleetEvent.Failed)
            {
                End($"{_settings.Roster.NameOf(happened.Member)} ({happened.Instance}) ended the run: "
                    + happened.Text);
            }
        }
    }

    // One of them looks for all.
    private void Watch()
    {
        if (!_roll.IsLeader())
            return;
        var gone = _roll.Gone();
        lock (_gate)
            gone.ExceptWith(_known);
        foreach (var member in gone)
            TellDead(member);
    }

    private void TellDead(int member)
    {
        var state = _roll.States().GetValueOrDefault(member);
        if (state is not { HasEnded: true })
            Tell(FleetEvent.Dead, member, _roll.InstanceOf(member), "its lease ran out");
    }

    private void End(string why)
    {
        if (Interlocked.CompareExchange(ref _reason, why, null) is null)
            _ending(new FleetException(why));
    }

    private void Tell(string kind, int member, string instance, string why)
    {
        try
        {
            _events.Add(new(kind, member, instance, why));
        }
        catch (RedisException)
        {
            // That a member ends the others learn from its lease.
        }
    }

    // Of both threads one writes at a time, or an older state could follow a newer one.
    private void Change(Func<MemberState, MemberState> change)
    {
        lock (_writing)
        {
            _state = change(_state);
            _control.Ask(database =>
            {
                var states = _keys.States(Session);
                database.HashSet(states, Place, JsonSerializer.Serialize(_state, FleetJson.Default.MemberState));
                return database.KeyExpire(states, Life);
            });
        }
    }
}
