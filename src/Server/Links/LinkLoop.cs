using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

/// <summary>
/// The link's one thread: waits until something comes in or is due to come out. It sleeps until shortly before the due
/// time and then looks without sleeping, because a wake-up is late by tens of microseconds.
/// </summary>
internal sealed class LinkLoop : IDisposable
{
    private const int EventsPerTurn = 32;
    private const long SpinNs = 100_000;

    private readonly ReadinessPoller _poller = ReadinessPoller.Create();
    private readonly List<LinkPath> _paths = [];
    private readonly CutSchedule _cuts;
    private readonly LineRate[] _rates;
    private readonly Thread _thread;
    private volatile bool _isStopping;
    private int _connections;

    public LinkLoop(WanLinkOptions options)
    {
        Options = options;
        Sockets = new SocketTable(_poller);
        StartedNs = TimestampSpan.NowNs();
        _rates = [new LineRate(options.Profile.Forward.Rate), new LineRate(options.Profile.Back.Rate)];
        _cuts = new CutSchedule(options.Profile, StartedNs, Due, _paths);
        _thread = new Thread(Run) { IsBackground = true, Name = "wan link" };
        try
        {
            for (var index = 0; index < options.Routes.Count; index++)
                _paths.Add(CreatePath(index, options.Routes[index]));
        }
        catch
        {
            Release();
            throw;
        }
    }

    public WanLinkOptions Options { get; }

    public SocketTable Sockets { get; }

    public DueQueue Due { get; } = new();

    /// <summary>The moment from which stalls and cuts are counted.</summary>
    public long StartedNs { get; }

    public Exception? Failure { get; private set; }

    public void Start() => _thread.Start();

    public int PortOf(int route) => _paths[route].Port;

    public int NextConnection() => ++_connections;

    public DelayLine CreateLine(LinkDirection direction, int connection)
    {
        var random = new Random((Options.Profile.Seed * 1_000_003) + (connection * 2) + (int)direction);
        return new DelayLine(Options.Profile[direction], _rates[(int)direction], StartedNs, random);
    }

    public bool IsCut(LinkDirection direction) => _cuts.IsCut(direction);

    public void Dispose()
    {
        if (_isStopping)
            return;
        _isStopping = true;
        _poller.Wake();
        _thread.Join();
        Release();
    }

    private LinkPath CreatePath(int index, LinkRoute route) => route.Protocol == LinkProtocol.Tcp
        ? new TcpRoute(this, index, route)
        : new UdpRoute(this, index, route);

    private void Run()
    {
        Options.ThreadStarted?.Invoke();
        try
        {
            foreach (var path in _paths)
                path.Begin();
            _cuts.Begin();
            Span<ReadyEvent> events = stackalloc ReadyEvent[EventsPerTurn];
            while (!_isStopping)
            {
                var count = _poller.Wait(events, WaitNs());
                for (var index = 0; index < count; index++)
                    Sockets.Dispatch(events[index]);
                Due.ActUntil(TimestampSpan.NowNs());
                Sockets.EndTurn();
            }
        }
#pragma warning disable CA1031 // A thread that ends otherwise would take the process with it.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            Failure = failure;
        }

        foreach (var path in _paths)
            path.End();
        Due.Abandon();
    }

    private long WaitNs()
    {
        var nextNs = Due.NextNs;
        return nextNs == long.MaxValue ? -1 : Math.Max(0, nextNs - TimestampSpan.NowNs() - SpinNs);
    }

    private void Release()
    {
        foreach (var path in _paths)
            path.Dispose();
        _poller.Dispose();
    }
}

/// <summary>Cuts the ways of a link when its profile says so, and joins them again.</summary>
internal sealed class CutSchedule(LinkProfile profile, long startedNs, DueQueue due, IReadOnlyList<LinkPath> paths)
{
    private readonly int[] _depths = new int[2];

    public bool IsCut(LinkDirection direction) => _depths[(int)direction] > 0;

    public void Begin()
    {
        foreach (var direction in Enum.GetValues<LinkDirection>())
        {
            foreach (var cut in profile[direction].Cuts)
            {
                due.Add(new Change(this, direction, isCut: true), startedNs + (long)cut.At.TotalNanoseconds);
                due.Add(new Change(this, direction, isCut: false), startedNs + (long)cut.End.TotalNanoseconds);
            }
        }
    }

    private void Set(LinkDirection direction, bool isCut)
    {
        var wasCut = _depths.Sum() > 0;
        _depths[(int)direction] += isCut ? 1 : -1;
        var isCutNow = _depths.Sum() > 0;
        if (wasCut == isCutNow)
            return;
        foreach (var path in paths)
        {
            if (isCutNow)
                path.Cut();
            else
                path.Join();
        }
    }

    private sealed class Change(CutSchedule schedule, LinkDirection direction, bool isCut) : IDueAction
    {
        public void Act() => schedule.Set(direction, isCut);
    }
}
