using System.Text.Json;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.StackExchange;
using RedisException = RedisLatency.Redis.RedisException;

namespace RedisLatency.Fleet.Live;

/// <summary>
/// A run as who is none of its members sees it: who is there, what becomes of them, and what they measure. For one
/// thread.
/// </summary>
public sealed class RunWatch
{
    private const int MostNamed = 10;

    private static readonly long RollPauseNs = TimeSpan.FromSeconds(1).InNanoseconds;

    private readonly ControlClient _control;
    private readonly FleetKeys _keys;
    private readonly string _run;
    private readonly string _session;
    private readonly FleetRoster _roster;
    private readonly Action<string> _tell;
    private readonly RollCall _roll;
    private readonly EventStream _events;
    private readonly IntervalStream _stream;
    private readonly MergedSeconds _seconds;
    private readonly Dictionary<int, MemberState> _states = [];
    private readonly HashSet<int> _dead = [];
    private readonly HashSet<int> _late = [];
    private long _rollDueNs;
    private bool _hasStarted;
    private bool _isOver;
    private string? _said;

    private RunWatch(ControlClient control, string run, SessionNote note, FleetRoster roster, Action<string> tell)
    {
        (_control, _run, _session, _roster, _tell) = (control, run, note.Id, roster, tell);
        _keys = new FleetKeys(run);
        _roll = new RollCall(control, _keys, _session, own: -1, roster.Count);
        _events = new EventStream(control, _keys.Events(_session), FleetMembership.Life);
        _stream = new IntervalStream(control, run, _session, roster.Count);
        _seconds = new MergedSeconds(roster);
    }

    /// <summary>Looks for a run that is under way, or about to begin; null where there is none.</summary>
    /// <param name="control">Where its members meet.</param>
    /// <param name="run">Its name.</param>
    /// <param name="version">The suite's version, which must be theirs.</param>
    /// <param name="tell">Is told what happens, in a sentence.</param>
    /// <exception cref="FleetException">It is measured by another version.</exception>
    /// <exception cref="RedisException">The control Redis is away, or refuses.</exception>
    public static RunWatch? Find(ControlClient control, string run, string version, Action<string> tell)
    {
        if (NoteOf(control, run) is not { } note || FleetRoster.Read(note.Expect) is not { } roster)
            return null;
        return note.Version == version
            ? new RunWatch(control, run, note, roster, tell)
            : throw new FleetException($"version {version} cannot watch what version {note.Version} measures");
    }

    /// <summary>Tells what happened since the last look, and shows the seconds that are complete.</summary>
    /// <returns>Whether the run goes on.</returns>
    /// <exception cref="RedisException">The control Redis is away, or refuses; it may be asked again.</exception>
    public bool Look(Action<WatchedSecond> show)
    {
        // Before what they have sent: who has ended has sent all of it.
        if (MonotonicClock.NowNs() >= _rollDueNs)
        {
            CallRoll();
            _rollDueNs = MonotonicClock.NowNs() + RollPauseNs;
        }

        foreach (var happened in _events.Read())
            Tell(happened);
        for (var isAllRead = false; !isAllRead;)
        {
            foreach (var interval in _stream.Read(out isAllRead))
                Add(interval);
            foreach (var (lines, late) in _seconds.Take(IsAwaited, isAllRead, _isOver && isAllRead))
            {
                foreach (var line in lines)
                    show(line);
                foreach (var place in late.Where(_late.Add))
                    _tell($"{NameOf(place)} is late: it has sent nothing for some seconds.");
            }
        }

        return !_isOver;
    }

    private static SessionNote? NoteOf(ControlClient control, string run) =>
        (string?)control.Ask(database => database.StringGet(new FleetKeys(run).Session)) is { } text
            ? JsonSerializer.Deserialize(text, FleetJson.Default.SessionNote)
            : null;

    private void CallRoll()
    {
        var present = _roll.Present();
        _dead.ExceptWith(present);
        // A control Redis that was restarted has forgotten those who had ended.
        foreach (var (place, state) in _roll.States())
            _states[place] = state;
        foreach (var place in _roll.Gone().Where(IsLiving).ToList())
            TellDead(place);
        if (!_hasStarted)
            TellMembers([.. present.Where(place => _states.GetValueOrDefault(place) is { Barrier: >= 0 })]);
        _isOver = present.Count == 0 && !_states.Keys.Any(IsLiving)
            && (_states.Count > 0 || NoteOf(_control, _run)?.Id != _session);
    }

    private void TellMembers(IReadOnlyCollection<int> here)
    {
        var start = _keys.Start(_session, FleetMembership.MeetingBarrier);
        _hasStarted = _control.Ask(database => database.KeyExists(start));
        if (!_hasStarted)
        {
            var away = _roster.NamesOf(Enumerable.Range(0, _roster.Count).Except(here).Take(MostNamed));
            Say($"{here.Count} of {_roster.Count} members are there"
                + (here.Count < _roster.Count ? $"; not yet {string.Join(" and ", away)}." : "."));
            return;
        }

        Say($"{_states.Count} of {_roster.Count} members have begun: {Names(_states.Keys)}.");
        var silent = _states.Where(one => !one.Value.IsStreamed).Select(one => one.Key).ToList();
        if (silent.Count > 0)
        {
            Say($"Nothing is streamed while it is measured, as {_control.Name} is itself measured by {Names(silent)}: "
                + "report merge has it afterwards.");
        }
    }

    private void Add(MemberInterval interval)
    {
        if (_late.Remove(interval.Place))
            _tell($"{NameOf(interval.Place)} sends again.");
        try
        {
            _seconds.Add(interval);
        }
        catch (HistogramFormatException problem)
        {
            _tell($"{NameOf(interval.Place)} has sent what cannot be read: {problem.Message}");
        }
    }

    private void Tell(FleetEvent happened)
    {
        var name = $"{_roster.NameOf(happened.Member)} ({happened.Instance})";
        switch (happened.Kind)
        {
            case FleetEvent.Dead:
                TellDead(happened.Member);
                break;
            case FleetEvent.Stopped:
                _tell($"{name} was {happened.Text}.");
                break;
            case FleetEvent.Failed:
                _tell($"{name} ended the run: {happened.Text}");
                break;
            default:
                _tell($"{name} was {happened.Kind}: {happened.Text}");
                break;
        }
    }

    private void TellDead(int place)
    {
        if (_dead.Add(place))
            _tell($"{NameOf(place)} is dead: its lease ran out.");
    }

    private void Say(string text)
    {
        if (text != _said)
            _tell(text);
        _said = text;
    }

    private bool IsLiving(int place) =>
        _states.TryGetValue(place, out var state) && !state.HasEnded && !_dead.Contains(place);

    private bool IsAwaited(int place) => IsLiving(place) && _states[place].IsStreamed;

    private string NameOf(int place) =>
        $"{_roster.NameOf(place)} ({_states.GetValueOrDefault(place)?.Instance ?? "?"})";

    private string Names(IReadOnlyCollection<int> places) =>
        string.Join(", ", places.Order().Take(MostNamed).Select(NameOf))
        + (places.Count > MostNamed ? ", …" : string.Empty);
}
