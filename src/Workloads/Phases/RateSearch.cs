using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Phases;

/// <summary>
/// Which rate to try next: twice as much until one is not held, then between the highest that was and the lowest that
/// was not, and at the end the highest that was once more, for longer. A rate that is not held at once is tried again,
/// because a stall of the machine makes any rate miss; two of three decide.
/// </summary>
internal sealed class RateSearch(double first)
{
    /// <summary>How near the two ends of the answer are to come.</summary>
    public const double Precision = 0.02;

    // One that finds nothing to hold in so many steps will not.
    private const int MostSteps = 40;
    private const double LeastRate = 1;

    // Where a longer look does not hold, shorter ones up to so much below it say nothing.
    private const double Doubted = 1.25;

    private readonly SortedSet<double> _held = [];
    private readonly HashSet<double> _heldLong = [];
    private readonly List<StepOutcome> _tries = [];
    private double _next = first;
    private int _steps;
    private bool _isDone;

    /// <summary>What to try next; null once the search is over.</summary>
    public double? Next => _isDone ? null : _next;

    /// <summary>Whether that is to be measured for longer.</summary>
    public bool IsLong { get; private set; }

    /// <summary>The highest rate that was held.</summary>
    public double? Held => _held.Count > 0 ? _held.Max : null;

    /// <summary>The lowest that was not.</summary>
    public double? NotHeld { get; private set; }

    /// <summary>Why not.</summary>
    public SearchEnd End { get; private set; } = SearchEnd.Unfinished;

    public void Take(StepOutcome outcome)
    {
        _tries.Add(outcome);
        var held = _tries.Count(one => one == StepOutcome.Held);
        var not = _tries.Count - held;
        if (held == 2 || (held == 1 && not == 0))
            TakeHeld();
        else if (not == 2)
            TakeNotHeld();
        if (++_steps < MostSteps || _isDone)
            return;
        (_isDone, End) = (true, SearchEnd.Unfinished);
    }

    private void TakeHeld()
    {
        _tries.Clear();
        _held.Add(_next);
        if (IsLong)
            _heldLong.Add(_next);
        MoveOn();
    }

    private void TakeNotHeld()
    {
        End = _tries.Exists(one => one is StepOutcome.Missed or StepOutcome.Unsure)
            ? SearchEnd.Latency
            : SearchEnd.Generator;
        _tries.Clear();
        NotHeld = _next;
        // From here on every step is a long one.
        _held.RemoveWhere(rate => rate >= _next || (IsLong && rate > _next / Doubted && !_heldLong.Contains(rate)));
        MoveOn();
    }

    private void MoveOn()
    {
        switch (Held, NotHeld)
        {
            case ({ } held, null):
                _next = held * 2;
                break;
            case (null, { } not):
                _next = not / 2;
                _isDone = _next < LeastRate;
                break;
            case ({ } held, { } not) when not / held > 1 + Precision:
                _next = Math.Sqrt(held * not);
                break;
            case ({ } held, _) when _heldLong.Contains(held):
                _isDone = true;
                break;
            case ({ } held, _):
                _next = held;
                IsLong = true;
                break;
        }
    }
}
