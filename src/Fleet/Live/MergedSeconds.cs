using RedisLatency.Fleet.Meeting;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Fleet.Live;

/// <summary>
/// What members measured in each second of a run, added up: their intervals that ended in it. It is shown when all who
/// are waited for have sent it, or after three seconds, and then forgotten: what comes later is shown by itself.
/// </summary>
internal sealed class MergedSeconds
{
    private const string Region = "region";
    private const int Patience = 3;

    // Seconds of a member begin when its reporter began, and by its schedule: more than this is another beginning.
    private const double Slack = 0.25;

    private static readonly long PatienceNs = TimeSpan.FromSeconds(Patience).InNanoseconds;

    private readonly FleetRoster _roster;
    private readonly Sender[] _senders;
    private readonly SortedDictionary<long, Second> _pending = [];
    private readonly LatencyHistogram _spare = LatencyHistogram.ForLatency();

    public MergedSeconds(FleetRoster roster) =>
        (_roster, _senders) = (roster, [.. Enumerable.Range(0, roster.Count).Select(_ => new Sender())]);

    /// <summary>Adds an interval; one that was sent twice counts once.</summary>
    /// <exception cref="HistogramFormatException">What was sent is something else.</exception>
    public void Add(MemberInterval interval)
    {
        if (!_senders[interval.Place].TryCount(interval, out var number))
            return;
        if (!_pending.TryGetValue(number, out var second))
            _pending.Add(number, second = new Second(MonotonicClock.NowNs()));
        var role = _roster.IsOfRegions ? Region : _roster.At(interval.Place).Role;
        var line = second.Lines.Find(known => (known.Role, known.Series) == (role, interval.Series));
        if (line is null)
            second.Lines.Add(line = new Line(role, interval.Series));

        line.Members.Add(interval.Place);
        line.IsLast &= interval.IsLast;
        var wanted = interval.Tags.Split(' ');
        using var log = new MemoryStream(interval.Lines.ToArray());
        var reader = new IntervalLogReader(log, tag => tag is not null && wanted.Contains(tag))
        {
            ReusesHistogram = true,
            Spare = _spare,
        };
        while (reader.Read() is { } logged)
            line.Values.Add(logged.Histogram);
    }

    /// <summary>The seconds that can be shown now, with the members that were waited for in vain.</summary>
    /// <param name="isAwaited">Whether a member is there, and sends.</param>
    /// <param name="isAllRead">Whether nothing that was sent is still to be added.</param>
    /// <param name="isOver">Whether nothing more will be sent.</param>
    public IEnumerable<(IReadOnlyList<WatchedSecond> Lines, IReadOnlyList<int> Late)> Take(
        Predicate<int> isAwaited, bool isAllRead, bool isOver)
    {
        while (_pending.Count > 0)
        {
            var (number, second) = _pending.First();
            var awaited = Enumerable.Range(0, _senders.Length)
                .Where(place => _senders[place].Number < number && isAwaited(place)).ToList();
            var isOverdue = isOver || _pending.Keys.Last() - number >= Patience
                || MonotonicClock.NowNs() - second.SinceNs >= PatienceNs;
            if (!isOverdue && (!isAllRead || awaited.Count > 0))
                yield break;
            _pending.Remove(number);
            var lines = second.Lines
                .Where(line => line.IsWorthShowing(number))
                .OrderBy(line => _roster.FirstOf(line.Role))
                .Select(line => WatchedSecond.Of(
                    TimeSpan.FromSeconds(number + 1), line.Role, line.Series, line.Members.Count,
                    Expected(line.Role), line.Values))
                .ToList();
            yield return (lines, [.. awaited.Where(place => !_senders[place].IsBetween)]);
        }
    }

    private int Expected(string role) => _roster.IsOfRegions ? _roster.Count : _roster.CountOf(role);

    private sealed class Second(long sinceNs)
    {
        public long SinceNs => sinceNs;

        public List<Line> Lines { get; } = [];
    }

    private sealed class Line(string role, string series)
    {
        public string Role => role;
        public string Series => series;
        public LatencyHistogram Values { get; } = LatencyHistogram.ForLatency();
        public HashSet<int> Members { get; } = [];
        public bool IsLast { get; set; } = true;

        // Before the start and at an end there is nothing to be measured.
        public bool IsWorthShowing(long number) =>
            Values.TotalCount + Values.AboveRange + Values.BelowRange > 0 || (number >= 0 && !IsLast);
    }

    /// <summary>A member, and which of its seconds came last.</summary>
    private sealed class Sender
    {
        private TimeSpan? _last;
        private double _shift;

        public long Number { get; private set; } = long.MinValue;

        /// <summary>Whether it measures nothing now, and is not late.</summary>
        public bool IsBetween { get; private set; }

        public bool TryCount(MemberInterval interval, out long number)
        {
            number = Number;
            if (interval.At <= _last)
                return false;
            // It is of the second in which it ended; not each by itself, by which two could become one.
            var seconds = interval.At.TotalSeconds;
            var isOff = Math.Abs(seconds + _shift - Math.Round(seconds + _shift)) > Slack;
            if (_last is null || isOff)
                _shift = Math.Ceiling(seconds) - seconds;
            number = (long)Math.Round(seconds + _shift);
            (_last, Number, IsBetween) = (interval.At, number, interval.IsLast);
            return true;
        }
    }
}
