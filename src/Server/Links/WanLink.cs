using System.Net;
using System.Net.Sockets;
using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

/// <summary>
/// A long line on one machine: a relay of TCP connections and UDP datagrams in user space that holds everything for as
/// long as its profile says, each way by itself, and tells what it really did to each chunk. It is as exact as its
/// thread is punctual: what it tells, and not what it was asked for, is the truth of a test. A TCP connection is
/// accepted at once and opened at the far end at once; only what is sent through it, its end included, takes time.
/// </summary>
/// <remarks>
/// It has one thread, which waits until something comes in or is due to come out. It sleeps until shortly before the
/// due time and then looks without sleeping, because a wake-up is late by tens of microseconds.
/// </remarks>
public sealed class WanLink : IDisposable
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

    private WanLink(WanLinkOptions options)
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

    internal WanLinkOptions Options { get; }

    internal SocketTable Sockets { get; }

    internal DueQueue Due { get; } = new();

    /// <summary>
    /// The moment from which stalls and cuts are counted, in nanoseconds of the host's monotonic clock.
    /// </summary>
    public long StartedNs { get; }

    /// <summary>What ended the link before its time, or null.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Starts a link; it listens on all routes when this returns.</summary>
    /// <exception cref="SocketException">A port is taken, or not permitted.</exception>
    public static WanLink Start(WanLinkOptions options)
    {
        var link = new WanLink(options);
        link._thread.Start();
        return link;
    }

    /// <summary>The port on which a route is entered.</summary>
    /// <param name="route">Which of the routes, from zero.</param>
    public int PortOf(int route = 0) => _paths[route].Port;

    /// <summary>Where a route is entered.</summary>
    /// <param name="route">Which of the routes, from zero.</param>
    public IPEndPoint EntryOf(int route = 0) => new(Options.Routes[route].Listen.Address, PortOf(route));

    internal int NextConnection() => ++_connections;

    internal DelayLine CreateLine(LinkDirection direction, int connection)
    {
        var random = new Random((Options.Profile.Seed * 1_000_003) + (connection * 2) + (int)direction);
        return new DelayLine(Options.Profile[direction], _rates[(int)direction], StartedNs, random);
    }

    internal bool IsCut(LinkDirection direction) => _cuts.IsCut(direction);

    /// <summary>Resets every connection and ends the thread.</summary>
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
