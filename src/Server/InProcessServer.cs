using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server;

/// <summary>
/// A Redis in this process: the commands on strings and publish/subscribe that this product sends, in RESP2 and RESP3,
/// on one thread over a loopback port or a Unix socket. Its replies follow Redis 7.0. It is the embedded default of
/// the services, and the floor they calibrate against.
/// </summary>
/// <remarks>
/// A turn of its thread waits for sockets, reads each that is ready once, executes what arrived, and then sends what
/// arose, subscribers before publishers.
/// </remarks>
public sealed partial class InProcessServer : IDisposable
{
    /// <summary>
    /// What debuggers and the operating system call its thread, of which the latter has 15 characters.
    /// </summary>
    public const string ThreadName = "in-process redis";

    /// <summary>Few enough that the first client of a turn does not wait long for the last.</summary>
    private const int ClientsPerTurn = 16;

    private const int ListenerToken = 0;
    private const long CycleNs = 100_000_000;
    private const int ExpiryRounds = 16;

    private readonly ServerState _state;
    private readonly Listener _listener;
    private readonly CommandDispatcher _dispatcher;
    private readonly ReadinessPoller _poller = ReadinessPoller.Create();
    private readonly ConcurrentQueue<(Action Request, TaskCompletionSource Done)> _requests = new();
    private readonly AutoResetEvent _asked = new(initialState: false);
    private readonly Thread _thread;
    private readonly Stack<int> _freeTokens = new();
    private long _nextClientId = 1;
    private long _nextCycle;
    private bool _isStopping;
    private volatile bool _hasEnded;

    private InProcessServer(InProcessServerOptions options)
    {
        Faults = new FaultScript(this);
        _state = new ServerState(options, Faults);
        _listener = new Listener(options);
        _dispatcher = new CommandDispatcher(_state);
        _state.Clients.Add(null);
        _state.PollerName = _poller.Name;
        _thread = new Thread(Run) { IsBackground = true, Name = ThreadName };
    }

    /// <summary>The TCP port it listens on; zero on a Unix socket.</summary>
    public int Port => _listener.Port;

    /// <summary>
    /// Where it listens, as users type it: <c>redis://127.0.0.1:6379</c>, <c>unix:/run/redis.sock</c>.
    /// </summary>
    public string Endpoint => _state.Options.UnixSocketPath is { } path
        ? $"unix:{path}"
        : string.Create(CultureInfo.InvariantCulture, $"redis://{_state.Options.Address}:{Port}");

    /// <summary>What shall go wrong.</summary>
    public FaultScript Faults { get; }

    /// <summary>Starts a server; it listens when this returns.</summary>
    /// <exception cref="SocketException">The port or path is taken, or not permitted.</exception>
    public static InProcessServer Start(InProcessServerOptions? options = null)
    {
        var server = new InProcessServer(options ?? new InProcessServerOptions());
        try
        {
            server.Listen();
        }
        catch
        {
            server._poller.Dispose();
            server._asked.Dispose();
            throw;
        }

        server._thread.Start();
        return server;
    }

    internal void Ask(Action request)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _requests.Enqueue((request, done));
        _asked.Set();
        if (!_hasEnded)
            _poller.Wake();

        // Whoever asks of a server that has ended gets his answer here: the thread looks no more.
        if (_hasEnded)
            done.TrySetResult();
        done.Task.GetAwaiter().GetResult();
    }

    /// <summary>Closes every connection and ends the thread.</summary>
    public void Dispose()
    {
        if (_hasEnded)
            return;
        Ask(() => _isStopping = true);
        _thread.Join();
        _poller.Dispose();
    }

    private void Run()
    {
        Span<ReadyEvent> events = stackalloc ReadyEvent[ClientsPerTurn];
        while (!_isStopping)
        {
            var count = _poller.Wait(events, WaitNs());
            _state.Clock.Forget();
            Answer();
            while (Faults.IsStalled && !_isStopping)
            {
                Faults.WaitWhileStalled(_asked);
                Answer();
            }

            for (var index = 0; index < count; index++)
                Handle(events[index]);
            RunCycle();
            Flush();
        }

        CloseAll();
        _listener.Dispose();
        _hasEnded = true;
        Answer();
    }

    private long WaitNs()
    {
        var wait = _state.Database.ExpiringCount > 0 ? CycleNs : -1;
        if (_held.Count == 0)
            return wait;
        var first = long.MaxValue;
        foreach (var client in _held)
            first = Math.Min(first, client.HeldUntil);
        var left = Math.Max(0, TimestampSpan.ToNanoseconds(first - Stopwatch.GetTimestamp()));
        return wait < 0 ? left : Math.Min(wait, left);
    }

    private void RunCycle()
    {
        ReleaseHeld();
        var now = Stopwatch.GetTimestamp();
        if (now < _nextCycle)
            return;
        _nextCycle = now + (Stopwatch.Frequency / 10);
        _state.Database.RemoveExpired(ExpiryRounds);
    }

    private void Answer()
    {
        while (_requests.TryDequeue(out var asked))
        {
            try
            {
                asked.Request();
                asked.Done.TrySetResult();
            }
            catch (Exception exception)
            {
                asked.Done.TrySetException(exception);
            }
        }
    }
}
