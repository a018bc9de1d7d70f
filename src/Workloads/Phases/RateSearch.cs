using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Phases;

/// <summary>
/// Which rate to try next: twice as much until one is not held, then between the highest that was and the lowest that
/// was not, and at the end the highest that was once more, for longer. A step that cannot tell is made longer. A rate
/// that is not held at once is tried again, because a stall of the machine makes any rate miss; two of three decide.
/// </summary>
internal sealed class RateSearch(double first, double least = RateSearch.LeastRate)
{
    /// <summary>How near the two ends of the answer are to come.</summary>
    public const double Precision = 0.02;

    /// <summary>How many times as long a step becomes at most; what it cannot tell then is not held.</summary>
    public const int MostStretch = 2;

    private const double LeastRate = 1;

    // One that finds nothing to hold in so many steps will not.
    private const int MostSteps = 40;

    // What is not held at a hundredth of it is not held for its own time, not for the queue.
    private const int Descent = 4;
    private const int DeepestDescent = 100;

    // Where a longer look does not hold, shorter ones up to so much below it say nothing.
    private const double Doubted = 1.25;

    private readonly double _least = Math.Max(least, first / DeepestDescent);
    private readonly SortedSet<double> _held = [];
    private readonly HashSet<double> _heldLong = [];
    private readonly List<StepOutcome> _tries = [];
    private double _next = Rounded(first);
    private int _steps;
    private bool _isDone;

    /// <summary>What to try next; null once the search is over.</summary>
    public double? Next => _isDone ? null : _next;

    /// <summary>Whether that is to be measured for longer.</summary>
    public bool IsLong { get; private set; }

    /// <summary>How many times as long, as shorter steps could not tell.</summary>
    public int Stretch { get; private set; } = 1;

    /// <summary>The highest rate that was held.</summary>
    public double? Held => _held.Count > 0 ? _held.Max : null;

    /// <summary>The lowest that was not.</summary>
    public double? NotHeld { get; private set; }

    /// <summary>Why not.</summary>
    public SearchEnd End { get; private set; } = SearchEnd.Unfinished;

    public void Take(StepOutcome outcome)
    {
        if (outcome == StepOutcome.Unsure && Stretch < MostStretch)
        {
            Stretch *= 2;
        }
        else
        {
            _tries.Add(outcome);
            Decide();
        }

        if (++_steps >= MostSteps && !_isDone)
            (_isDone, End) = (true, SearchEnd.Unfinished);
    }

    private void Decide()
    {
        var held = _tries.Count(one => one == StepOutcome.Held);
        var not = _tries.Count - held;
        if (held == 2 || (held == 1 && not == 0))
            TakeHeld();
        else if (_tries[^1] == StepOutcome.Unsure)
            TakeNotHeld(SearchEnd.Unsure);
        else if (not == 2)
            TakeNotHeld(_tries.Contains(StepOutcome.Missed) ? SearchEnd.Latency : SearchEnd.Generator);
    }

    private void TakeHeld()
    {
        _held.Add(_next);
        if (IsLong)
            _heldLong.Add(_next);
        MoveOn();
    }

    private void TakeNotHeld(SearchEnd end)
    {
        (NotHeld, End) = (_next, end);
        // From here on every step is a long one.
        _held.RemoveWhere(rate => rate >= _next || (IsLong && rate > _next / Doubted && !_heldLong.Contains(rate)));
        MoveOn();
    }

    private void MoveOn()
    {
        _tries.Clear();
        Stretch = 1;
        switch (Held, NotHeld)
        {
            case ({ } held, null):
                _next = Rounded(held * 2);
                break;
            case (null, { } not):
                _next = Rounded(not / Descent);
                _isDone = _next < _least;
                break;
            case ({ } held, { } not) when not / held > 1 + Precision:
                _next = Rounded(Math.Sqrt(held * not));
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

    // As it is asked for and shown: each rate is one number everywhere.
    public static double Rounded(double rate) => Math.Round(rate, rate < 100 ? 2 : 0);
}
