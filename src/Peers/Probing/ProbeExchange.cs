using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Probing;

/// <summary>
/// Asks a peer what time it is there, in pairs of probes at a steady rate, on a thread of its own. Where no answer
/// comes by one route the next one is tried.
/// </summary>
public sealed class ProbeExchange : IDisposable
{
    private const long LastAnswersNs = 500_000_000;

    private readonly ProbeExchangeOptions _options;
    private readonly IReadOnlyList<ProbeRoute> _routes;
    private readonly bool[] _isLost;
    private readonly ProbeAsker _asker;
    private readonly Thread _thread;
    private IProbeLane _lane;
    private int _route;
    private long _routeSinceNs;
    private volatile string? _problem;
    private volatile ProbeRoute _current;
    private volatile bool _isStopped;

    /// <summary>Begins to ask.</summary>
    /// <param name="options">Who is asked, and how often.</param>
    /// <param name="routes">The ways to it, the best one first.</param>
    /// <exception cref="ArgumentException">There is no route.</exception>
    public ProbeExchange(ProbeExchangeOptions options, IReadOnlyList<ProbeRoute> routes)
    {
        if (routes.Count == 0)
            throw new ArgumentException("An exchange needs a route.", nameof(routes));
        _options = options;
        _routes = routes;
        _isLost = new bool[routes.Count];
        _asker = new ProbeAsker(options, ProbeKey.NewNumber());
        _current = routes[0];
        _lane = _current.CreateLane();
        _thread = new Thread(Run) { Name = "redislatency-probes", IsBackground = true };
        _thread.Start();
    }

    /// <summary>What became of the probes so far.</summary>
    public ProbeExchangeCounts Counts => _asker.Counts;

    /// <summary>By which way is asked now.</summary>
    public ProbeRoute Route => _current;

    /// <summary>
    /// What keeps answers from coming, or kept them from coming by a better route; null where nothing does.
    /// </summary>
    public string? Problem => _problem;

    /// <summary>Takes the oldest answer that nobody has taken; for one thread. Never waits.</summary>
    public bool TryTake(out ExchangedProbe probe) => _asker.Answers.TryTake(out probe);

    /// <summary>Asks no more, and waits a moment for the last answers; what is there can still be taken.</summary>
    public void Stop()
    {
        _isStopped = true;
        _thread.Join();
    }

    /// <inheritdoc/>
    public void Dispose() => Stop();

    private void Run()
    {
        Pacer.WakePrecisely();
        var due = _routeSinceNs = MonotonicClock.NowNs();
        while (!_isStopped)
        {
            var now = MonotonicClock.NowNs();
            if (now < due)
            {
                _asker.Receive(_lane, Math.Min(due, now + Pacer.LongestNapNs));
                continue;
            }

            _lane.Open();
            AskPair();
            // What is overdue is not made up for: a burst would meet its own queue.
            due = Math.Max(due, now) + IntervalNs();
            _asker.GiveUp(now);
            LookAtRoute(now);
        }

        TakeLastAnswers();
        _asker.GiveUpAll();
        _lane.Dispose();
        _asker.Dispose();
    }

    // Who asks less often is not answered more often.
    private double SilenceNs => Math.Max(_options.SilenceLimit.TotalNanoseconds, 2.0 * IntervalNs());

    private long IntervalNs() =>
        (long)(1e9 / (_current.IsUdp ? _options.UdpPairsPerSecond : _options.RedisPairsPerSecond));

    private void AskPair()
    {
        var second = _asker.Ask(_lane) + _options.PairGap.InNanoseconds;
        // Spun, not slept: the second probe leaves as warm as the first one arrived.
        while (MonotonicClock.NowNs() < second)
            _asker.Receive(_lane, 0);
        _asker.Ask(_lane);
    }

    private void LookAtRoute(long now)
    {
        var heard = _asker.LastAnswerNs > _routeSinceNs;
        if (heard && _route == 0)
            _problem = null;
        if (_lane.IsLost)
            _isLost[_route] = true;
        else if (now - Math.Max(_asker.LastAnswerNs, _routeSinceNs) < SilenceNs)
            return;
        _problem = Describe();
        for (var step = 1; step < _routes.Count; step++)
        {
            var next = (_route + step) % _routes.Count;
            if (_isLost[next])
                continue;
            Change(next, now);
            return;
        }
    }

    private void Change(int route, long now)
    {
        _lane.Dispose();
        _route = route;
        _routeSinceNs = now;
        _current = _routes[route];
        _lane = _current.CreateLane();
        Counts.LaneChanges++;
    }

    private string Describe()
    {
        var why = _lane.Problem is { } problem ? $": {problem}" : string.Empty;
        return _lane.IsLost
            ? $"{_lane.Name} carries no probes{why}"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"no answer from {_lane.Name} within {SilenceNs / 1e9:0.###} s{why}");
    }

    private void TakeLastAnswers()
    {
        var end = MonotonicClock.NowNs() + LastAnswersNs;
        while (_asker.HasOpenQuestions && MonotonicClock.NowNs() is var now && now < end)
        {
            _asker.Receive(_lane, Math.Min(end, now + Pacer.LongestNapNs));
            _asker.GiveUp(now);
        }
    }
}

/// <summary>A probe that was answered.</summary>
/// <param name="Probe">Its four stamps.</param>
/// <param name="Pair">Which pair it is one of, from 0.</param>
/// <param name="IsSecond">Whether it is the one sent a small gap after the other.</param>
/// <param name="PeerStatus">What the peer said of its clock with the answer.</param>
public readonly record struct ExchangedProbe(ClockProbe Probe, long Pair, bool IsSecond, ClockStatus PeerStatus);

/// <summary>Who is asked, and how often.</summary>
public sealed record ProbeExchangeOptions
{
    /// <summary>The number of the peer's run.</summary>
    public required ulong Run { get; init; }

    /// <summary>The peer: how it signs its echoes.</summary>
    public required ulong Answerer { get; init; }

    /// <summary>The run's key, as the peer handed it out.</summary>
    public required ProbeKey Key { get; init; }

    /// <summary>Pairs of probes per second over UDP.</summary>
    /// <value>The default is 25.</value>
    public double UdpPairsPerSecond { get; init; } = 25;

    /// <summary>Pairs of probes per second through Redis, where they cost the measured server something.</summary>
    /// <value>The default is 10.</value>
    public double RedisPairsPerSecond { get; init; } = 10;

    /// <summary>How long after the first probe of a pair the second one is sent.</summary>
    /// <value>The default is 75 µs.</value>
    public TimeSpan PairGap { get; init; } = TimeSpan.FromMicroseconds(75);

    /// <summary>How long an answer is waited for before its question is given up.</summary>
    /// <value>The default is 5 s.</value>
    public TimeSpan AnswerLimit { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>After so long without any answer the next lane is tried, where there is one.</summary>
    /// <value>The default is 3 s.</value>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>How many answers wait to be fetched; a power of two.</summary>
    /// <value>The default is 8,192.</value>
    public int QueueLength { get; init; } = 8_192;
}
