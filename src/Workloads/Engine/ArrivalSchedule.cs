using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// An absolute schedule, which nothing that happens to an operation can shift; all workers' together make the plan's
/// rate. Its steps begin with the measured stretch; the warm-up keeps to the rate that the first begins with.
/// </summary>
internal sealed class ArrivalSchedule
{
    private readonly ArrivalSequence? _warmUp;
    private readonly ArrivalSequence _measured;
    private readonly long _warmUpNs;
    private ArrivalSequence _current;
    private long _start;
    private long _measureFrom;

    public ArrivalSchedule(EnginePlan plan, int worker)
    {
        // Of the same seed both: what is measured does not depend on how long the warm-up was.
        _measured = new ArrivalSequence(plan, plan.Rate, worker);
        _warmUp = plan.Rate[0].From > 0
            ? new ArrivalSequence(plan, RateStep.Constant(plan.Rate[0].From), worker)
            : null;
        _warmUpNs = (long)plan.WarmUp.TotalNanoseconds;
        _current = _warmUp ?? _measured;
    }

    /// <summary>When the next operation is due, in nanoseconds.</summary>
    public long Due { get; private set; }

    public void Start(long startNs)
    {
        _measureFrom = startNs + _warmUpNs;
        _start = _warmUp is null ? _measureFrom : startNs;
        Take();
    }

    /// <summary>Takes the next operation; <see cref="Due"/> then tells of the one after it.</summary>
    public void Take()
    {
        Due = _start + _current.Next();
        if (Due < _measureFrom || _current == _measured)
            return;
        (_start, _current) = (_measureFrom, _measured);
        Due = _start + _current.Next();
    }
}

/// <summary>One worker's turns in a sequence of operations that begins at zero.</summary>
internal sealed class ArrivalSequence(EnginePlan plan, IReadOnlyList<RateStep> rate, int worker)
{
    private readonly RateCurve _curve = new(rate);
    private readonly ArrivalKind _arrival = plan.Arrival.Kind;
    private readonly int _burst = plan.Arrival.BurstSize;
    private readonly int _workers = plan.AllWorkers;
    private readonly int _members = plan.Member.Count;

    // Other numbers than those that the worker draws its keys by.
    private readonly RandomSource _random = new RandomSource(~(ulong)plan.Seed).Split(worker);
    private long _number = worker;
    private double _arrived;

    /// <summary>The nanoseconds until the next one is due.</summary>
    public long Next()
    {
        // Workers take turns in one sequence; of independent Poisson processes the sum is one.
        var count = _arrival switch
        {
            ArrivalKind.Poisson => _arrived -= Math.Log(_random.NextPositiveDouble()) * _workers,
            ArrivalKind.Burst => _number - (_number % _burst),
            _ => (double)_number,
        };
        _number += _workers;
        // The curve is this process's part of the rate, the count that of all.
        return _curve.TimeOf(count / _members);
    }
}
