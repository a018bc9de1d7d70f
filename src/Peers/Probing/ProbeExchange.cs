using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Rendezvous;

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
    private readonly ProbeRequester _asker;
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
        _asker = new ProbeRequester(options, RunIdentity.NewProcess());
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
            CheckRoute(now);
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

    private void CheckRoute(long now)
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
