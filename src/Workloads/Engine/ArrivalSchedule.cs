using RedisLatency.Workloads.Distributions;
using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// When a worker's operations are due: an absolute schedule, which nothing that happens to an operation can shift. The
/// schedules of all workers together make the plan's rate.
/// </summary>
internal sealed class ArrivalSchedule
{
    private readonly RateCurve _curve;
    private readonly ArrivalKind _arrival;
    private readonly RandomSource _random;
    private readonly int _worker;
    private readonly int _workers;
    private readonly int _burst;
    private long _start;
    private double _arrived;

    public ArrivalSchedule(EnginePlan plan, int worker)
    {
        _curve = new RateCurve(plan.Rate);
        _arrival = plan.Arrival;
        _burst = plan.BurstSize;
        _worker = worker;
        _workers = plan.Threads;
        // Other numbers than those that the worker draws its keys by.
        _random = new RandomSource(~(ulong)plan.Seed).Split(worker);
    }

    public long Taken { get; private set; }

    /// <summary>When the next operation is due, in nanoseconds.</summary>
    public long Due { get; private set; }

    public void Start(long startNs)
    {
        _start = startNs;
        Due = NextDue();
    }

    /// <summary>Takes the next operation; <see cref="Due"/> then tells of the one after it.</summary>
    public void Take()
    {
        Taken++;
        Due = NextDue();
    }

    private long NextDue()
    {
        // Workers take turns in one sequence; of independent Poisson processes the sum is one.
        var number = (Taken * _workers) + _worker;
        var count = _arrival switch
        {
            ArrivalKind.Poisson => _arrived -= Math.Log(_random.NextPositiveDouble()) * _workers,
            ArrivalKind.Burst => number - (number % _burst),
            _ => (double)number,
        };
        return _start + _curve.TimeOf(count);
    }
}
