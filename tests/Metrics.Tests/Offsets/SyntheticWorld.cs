using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>
/// Two hosts with synthetic clocks, and what a tracker makes of them when it is told as a Producer tells it: echoes in
/// batches, and once a second what each host saw of its own clock, of the consumer's with the answers to probes.
/// </summary>
internal sealed class SyntheticWorld
{
    private const long Millisecond = 1_000_000;
    private const long Second = 1_000_000_000;
    private const long BatchNs = 50 * Millisecond;
    private const long ShortestSleepNs = Millisecond;
    private const long RoundingNs = 2;

    // Of the host's clock, long after zero.
    private const long StartNs = 1_000 * Second;

    private readonly SyntheticWorldOptions _options;
    private readonly SyntheticClock _producer;
    private readonly SyntheticClock _consumer;
    private readonly OffsetTracker _tracker;
    private readonly Random _random;
    private readonly List<OffsetWindow> _windows = [];

    public SyntheticWorld(SyntheticWorldOptions options)
    {
        _options = options;
        _producer = SyntheticClock.Parse(options.Producer, StartNs);
        _consumer = SyntheticClock.Parse(options.Consumer, StartNs);
        _tracker = new OffsetTracker(options.Assumptions);
        _random = new Random(options.Seed);
        Live();
    }

    public IReadOnlyList<OffsetWindow> Windows => _windows;

    public OffsetTracker Tracker => _tracker;

    /// <summary>The share of the time of which the offset is proven.</summary>
    public double ProvenShare => _windows.Where(window => window.IsProven).Sum(Length) / _windows.Sum(Length);

    /// <summary>B minus A when A's clock reads that.</summary>
    public long OffsetAt(long producerNs) => _consumer.FromHost(_producer.ToHost(producerNs)) - producerNs;

    /// <summary>When a clock does what no line follows, by the producer's.</summary>
    public IEnumerable<long> BreaksNs =>
        _producer.BreaksHostNs.Concat(_consumer.BreaksHostNs).Select(_producer.FromHost);

    /// <summary>Where the truth is not within what is proven.</summary>
    public IEnumerable<string> Misses()
    {
        var breaks = BreaksNs.SelectMany(at => new[] { at - RoundingNs, at + RoundingNs }).ToArray();
        foreach (var window in _windows.Where(window => window.IsProven))
        {
            const int parts = 8;
            var points = Enumerable.Range(0, parts)
                .Select(part => window.StartNs + ((window.EndNs - window.StartNs) * part / parts))
                .Append(window.ReferenceNs).Append(window.EndNs - 1)
                .Concat(breaks.Where(at => at >= window.StartNs && at < window.EndNs))
                .Where(at => _producer.FromHost(_producer.ToHost(at)) == at);
            foreach (var at in points)
            {
                var miss = Math.Abs(window.OffsetAt(at) - OffsetAt(at));
                if (miss > window.ErrorAt(at) + RoundingNs)
                    yield return $"{_options}: off by {miss / 1e3:F1} of {window.ErrorAt(at) / 1e3:F1} µs at "
                        + $"{(at - _producer.FromHost(StartNs)) / 1e9:F4} s, {window.Break}";
            }

            long[] values = [window.OffsetNs, window.ErrorNs, window.StepNs, window.StepErrorNs ?? 0];
            if (values.Any(value => Math.Abs((double)value) >= 1L << 59))
                yield return $"{_options}: a sentinel, {string.Join(' ', values)}";
        }
    }

    private static double Length(OffsetWindow window) => window.EndNs - window.StartNs;

    private void Live()
    {
        var echoes = Exchanges(Second / _options.EchoesPerSecond);
        var probes = Exchanges(Second / _options.ProbesPerSecond);
        var own = new HostWatch(_producer, StartNs - Second + _options.ProducerPhaseNs);
        var peer = new HostWatch(_consumer, StartNs - Second + _options.ConsumerPhaseNs);
        var statuses = new ClockStatusFeed(_tracker);
        var endNs = StartNs + (long)(_options.Seconds * Second);
        var (nextEcho, nextProbe) = (0, 0);
        var toldNs = 0L;
        for (var nowNs = StartNs + BatchNs; nowNs < endNs; nowNs += BatchNs)
        {
            for (; nextEcho < echoes.Count && echoes[nextEcho].ReturnedNs <= nowNs; nextEcho++)
                _tracker.Add(Stamps(echoes[nextEcho]));
            for (; nextProbe < probes.Count && probes[nextProbe].ReturnedNs <= nowNs; nextProbe++)
            {
                var probe = Stamps(probes[nextProbe]);
                statuses.HearPeer(probe, peer.At(probes[nextProbe].EchoedNs));
                _tracker.Add(probe);
            }

            if (own.At(nowNs) is var status && status.SampledAtNs != toldNs)
            {
                statuses.HearLocal(status);
                toldNs = status.SampledAtNs;
            }

            Take();
        }

        _tracker.Complete(_producer.FromHost(endNs));
        Take();
    }

    private void Take()
    {
        while (_tracker.TryTake(out var window))
            _windows.Add(window);
    }

    private List<(long SentNs, long ReceivedNs, long EchoedNs, long ReturnedNs)> Exchanges(long intervalNs)
    {
        var exchanges = new List<(long SentNs, long ReceivedNs, long EchoedNs, long ReturnedNs)>();
        for (var sent = StartNs; sent < StartNs + (_options.Seconds * Second); sent += intervalNs)
        {
            var received = sent + _options.ForwardNs + Queue();
            var echoed = received + 5_000;
            exchanges.Add((sent, received, echoed, echoed + _options.BackNs + Queue()));
        }

        return [.. exchanges.OrderBy(exchange => exchange.ReturnedNs)];
    }

    private long Queue() => (long)(-Math.Log(1 - _random.NextDouble()) * _options.QueueNs);

    private ClockProbe Stamps((long SentNs, long ReceivedNs, long EchoedNs, long ReturnedNs) exchange) => new(
        _producer.FromHost(exchange.SentNs), _consumer.FromHost(exchange.ReceivedNs),
        _consumer.FromHost(exchange.EchoedNs), _producer.FromHost(exchange.ReturnedNs));

    /// <summary>What a host sees of its own clock, once a second.</summary>
    private sealed class HostWatch(SyntheticClock clock, long firstNs)
    {
        private long _atHostNs = firstNs;
        private ClockStatus _status = new(clock.FromHost(firstNs), 0, -1, double.NaN, clock.SuspendedNs(firstNs));

        public ClockStatus At(long hostNs)
        {
            for (; _atHostNs + Second <= hostNs; _atHostNs += Second)
            {
                var at = _atHostNs + Second;
                var slept = clock.SuspendedNs(at);
                _status = new ClockStatus(
                    clock.FromHost(at),
                    0,
                    -1,
                    (clock.SlewedNs(at) - clock.SlewedNs(_atHostNs)) * 1e6 / Second,
                    slept - _status.SuspendedNs > ShortestSleepNs ? slept : _status.SuspendedNs);
            }

            return _status;
        }
    }
}

/// <summary>What is planted in a world of two synthetic clocks.</summary>
internal sealed record SyntheticWorldOptions
{
    public string Producer { get; init; } = "offset=0ms";

    public string Consumer { get; init; } = "offset=0ms";

    public double Seconds { get; init; } = 10;

    public long EchoesPerSecond { get; init; } = 200;

    public long ProbesPerSecond { get; init; } = 20;

    public long ForwardNs { get; init; } = 14_000_000;

    public long BackNs { get; init; } = 14_000_000;

    /// <summary>The mean of what a queue adds, each way.</summary>
    public double QueueNs { get; init; } = 50_000;

    /// <summary>When in each second the producer's host looks at its clocks.</summary>
    public long ProducerPhaseNs { get; init; } = 300_000_000;

    /// <summary>When the consumer's does.</summary>
    public long ConsumerPhaseNs { get; init; } = 700_000_000;

    public OffsetAssumptions Assumptions { get; init; } = new();

    public int Seed { get; init; } = 1;
}
