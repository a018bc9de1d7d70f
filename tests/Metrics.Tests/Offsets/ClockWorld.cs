using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>
/// Two hosts whose clocks are known: what they stamp, and what the offset truly is. Times in it are true nanoseconds
/// since its start; both clocks are that plus a deviation that is piecewise linear.
/// </summary>
internal sealed class ClockWorld
{
    private const double GridNs = 50e6;
    private readonly WorldOptions _options;
    private readonly Random _random;
    private readonly double[] _producerDeviation;
    private readonly double[] _consumerDeviation;

    public ClockWorld(WorldOptions options)
    {
        _options = options;
        _random = new Random(options.Seed);
        ProducerStartNs = _random.NextInt64(1, 1_000_000_000_000_000);
        ConsumerStartNs = _random.NextInt64(1, 1_000_000_000_000_000);
        var cells = (int)((options.Seconds + 30) * 1e9 / GridNs);
        var producerPpm = (_random.NextDouble() - 0.5) * 20;
        _producerDeviation = Deviate(cells, producerPpm, isConsumer: false);
        _consumerDeviation = Deviate(cells, producerPpm + options.SkewPpm, isConsumer: true);
    }

    public long ProducerStartNs { get; }

    public long ConsumerStartNs { get; }

    public long EndNs => Producer(_options.Seconds * 1e9);

    /// <summary>Echoes that were garbage.</summary>
    public int Garbage { get; private set; }

    /// <summary>
    /// The shortest time that any probe was under way: without floors, what no bound can be narrower by.
    /// </summary>
    public double QuickestForwardNs { get; private set; } = double.MaxValue;

    public double QuickestBackNs { get; private set; } = double.MaxValue;

    /// <summary>B minus A when A's clock shows an instant.</summary>
    public double OffsetAt(long producerNs)
    {
        var shown = (double)(producerNs - ProducerStartNs);
        var at = shown;
        for (var i = 0; i < 6; i++)
            at = shown - Deviation(_producerDeviation, at);
        return Deviation(_consumerDeviation, at) + Stepped(at) - Deviation(_producerDeviation, at);
    }

    /// <summary>The same, from an offset that may be too large for a double.</summary>
    public double OffsetAt(long producerNs, long fromNs) =>
        OffsetAt(producerNs) + (ConsumerStartNs - ProducerStartNs - fromNs);

    public long Producer(double at) => ProducerStartNs + (long)Math.Floor(at + Deviation(_producerDeviation, at));

    public long Consumer(double at) =>
        ConsumerStartNs + (long)Math.Floor(at + Deviation(_consumerDeviation, at) + Stepped(at));

    /// <summary>All that A learns, in the order in which it does.</summary>
    public IEnumerable<WorldEvent> Events()
    {
        var events = new List<(double At, WorldEvent Event)>();
        var intervalNs = 1e9 / _options.ProbesPerSecond;
        for (var sent = 1e6; sent < _options.Seconds * 1e9; sent += intervalNs * (0.5 + _random.NextDouble()))
            AddProbe(events, sent);
        if (_options.SamplesRates)
            AddRates(events);
        return events.OrderBy(item => item.At).Select(item => item.Event);
    }

    private void AddProbe(List<(double, WorldEvent)> events, double sent)
    {
        var (forward, back) = (Queue(), Queue());
        var received = sent + _options.ForwardNs + forward;
        var echoed = received + (_options.ResidenceNs * (0.5 + _random.NextDouble()));
        var returned = echoed + _options.BackNs + back;
        if (_random.NextDouble() < _options.LossShare)
            return;
        QuickestForwardNs = Math.Min(QuickestForwardNs, _options.ForwardNs + forward);
        QuickestBackNs = Math.Min(QuickestBackNs, _options.BackNs + back);
        var probe = new ClockProbe(Producer(sent), Consumer(received), Consumer(echoed), Producer(returned));
        if (_random.NextDouble() < _options.GarbageShare)
        {
            Garbage++;
            var by = _random.NextInt64(1_000_000_000, 100_000_000_000) * (_random.Next(2) == 0 ? -1 : 1);
            probe = probe with { ReceivedNs = probe.ReceivedNs + by, EchoedNs = probe.EchoedNs + by };
        }

        var delivered = returned + (_random.NextDouble() < _options.ReorderShare ? _random.NextDouble() * 20e6 : 0);
        events.Add((delivered, new WorldEvent(probe)));
        if (_random.NextDouble() < _options.DuplicateShare)
        {
            var again = returned + (_random.NextDouble() * 5e6);
            events.Add((Math.Max(delivered, again), new WorldEvent(probe with { ReturnedNs = Producer(again) })));
        }
    }

    private void AddRates(List<(double, WorldEvent)> events)
    {
        foreach (var side in new[] { ClockSide.Producer, ClockSide.Consumer })
        {
            var before = -1.2e9;
            for (var at = -0.2e9 + (_random.NextDouble() * 0.1e9); at < (_options.Seconds + 2) * 1e9; at += 1e9)
            {
                var ppm = Slewed(side == ClockSide.Consumer, before, at) / (at - before) * 1e6;
                var atNs = ProducerStartNs + (long)(at + Deviation(_producerDeviation, Math.Max(0, at)));
                // The first is told before any probe: until then a clock is assumed to be slewed as the kernel does,
                // and these worlds slew theirs by more.
                var told = at + (_random.NextDouble() * 0.3e9);
                events.Add((at < 0 ? Math.Min(told, 0) : told, new WorldEvent(side, atNs, ppm)));
                before = at;
            }
        }
    }

    private double Queue()
    {
        var queue = -Math.Log(1 - _random.NextDouble()) * _options.QueueNs;
        return _random.NextDouble() < _options.HeavyShare ? queue * 100 : queue;
    }

    private double Stepped(double at) => _options.Steps.Where(step => at >= step.Seconds * 1e9).Sum(step => step.Ns);

    private double Slewed(bool ofConsumer, double from, double to) => _options.Slews
        .Where(slew => slew.OfConsumer == ofConsumer)
        .Sum(slew => slew.Ppm * 1e-6 * Math.Max(0, Math.Min(to, slew.To * 1e9) - Math.Max(from, slew.From * 1e9)));

    private double[] Deviate(int cells, double ppm, bool isConsumer)
    {
        // Within a quarter of the wander each way and clock: no instant is then farther from any mean than the wander.
        var limit = _options.WanderPpm / 4;
        var walk = (_random.NextDouble() - 0.5) * limit;
        var deviation = new double[cells + 2];
        for (var cell = 1; cell < deviation.Length; cell++)
        {
            walk = Math.Clamp(walk + ((_random.NextDouble() - 0.5) * limit / 4), -limit, limit);
            var (from, to) = ((cell - 1) * GridNs, cell * GridNs);
            deviation[cell] = deviation[cell - 1] + ((ppm + walk) * 1e-6 * GridNs) + Slewed(isConsumer, from, to);
        }

        return deviation;
    }

    private static double Deviation(double[] deviation, double at)
    {
        var place = Math.Max(0, at) / GridNs;
        var cell = Math.Min((int)place, deviation.Length - 2);
        return deviation[cell] + ((deviation[cell + 1] - deviation[cell]) * (place - cell));
    }
}
