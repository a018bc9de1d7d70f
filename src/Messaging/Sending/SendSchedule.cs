namespace RedisLatency.Messaging.Sending;

/// <summary>When messages are due: an absolute schedule that nothing that happens to a message can shift.</summary>
internal sealed class SendSchedule
{
    private readonly double _intervalNs;
    private readonly Random? _poisson;
    private long _start;
    private double _elapsedNs;

    public SendSchedule(double rate, Arrival arrival, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(rate);
        _intervalNs = 1e9 / rate;
        _poisson = arrival == Arrival.Poisson ? new Random(seed) : null;
    }

    public long Taken { get; private set; }

    public long Due { get; private set; }

    public void Start(long start)
    {
        _start = start;
        _elapsedNs = 0;
        Taken = 0;
        Due = _poisson is null ? start : start + (long)(_elapsedNs = NextPoisson());
    }

    /// <summary>Takes the next message; <see cref="Due"/> then tells of the one after it.</summary>
    public void Take()
    {
        Taken++;

        // A product, not a running sum: 2^53 ns are 104 days, so no rounding adds up over a long run.
        Due = _start + (long)(_poisson is null ? Taken * _intervalNs : _elapsedNs += NextPoisson());
    }

    /// <summary>How many more are due before a moment; of random times, as many as their rate comes to.</summary>
    public long CountUntil(long endNs) => endNs <= Due ? 0 : (long)Math.Ceiling((endNs - Due) / _intervalNs);

    private double NextPoisson() => -Math.Log(1 - _poisson!.NextDouble()) * _intervalNs;
}
