using System.Collections.Concurrent;
using System.Diagnostics;
using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server;

/// <summary>
/// The server's one thread. A turn waits for sockets, reads each that is ready once, executes what arrived, and then
/// sends what arose, subscribers before publishers.
/// </summary>
internal sealed partial class ServerLoop : IDisposable
{
    /// <summary>Few enough that the first client of a turn does not wait long for the last.</summary>
    private const int ClientsPerTurn = 16;

    private const int ListenerToken = 0;
    private const long CycleNs = 100_000_000;
    private const int ExpiryRounds = 16;

    private readonly ServerState _state;
    private readonly Listener _listener;
    private readonly CommandDispatcher _dispatcher;
    private readonly ReadinessPoller _poller = ReadinessPoller.Create();
    private readonly ConcurrentQueue<(LoopRequest Request, TaskCompletionSource Done)> _requests = new();
    private readonly AutoResetEvent _asked = new(initialState: false);
    private readonly Thread _thread;
    private readonly Stack<int> _freeTokens = new();
    private long _nextClientId = 1;
    private long _nextCycle;
    private bool _isStopping;
    private volatile bool _hasEnded;

    public ServerLoop(InProcessServerOptions options)
    {
        Faults = new FaultScript(Ask);
        _state = new ServerState(options, Faults);
        _listener = new Listener(options);
        _dispatcher = new CommandDispatcher(_state);
        _state.Clients.Add(null);
        _state.PollerName = _poller.Name;
        _thread = new Thread(Run) { IsBackground = true, Name = "in-process redis" };
    }

    public FaultScript Faults { get; }

    public int Port => _listener.Port;

    public void Start()
    {
        try
        {
            Listen();
        }
        catch
        {
            _poller.Dispose();
            _asked.Dispose();
            throw;
        }

        _thread.Start();
    }

    /// <summary>Has the server's thread do something, and waits until it is done.</summary>
    public void Ask(LoopRequest request)
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

    public void Dispose()
    {
        if (_hasEnded)
            return;
        Ask(LoopRequest.Stop);
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
        var wait = NeedsCycle() ? CycleNs : -1;
        if (_held.Count == 0)
            return wait;
        var first = long.MaxValue;
        foreach (var client in _held)
            first = Math.Min(first, client.HeldUntil);
        var left = Math.Max(0, TimestampSpan.ToNanoseconds(first - Stopwatch.GetTimestamp()));
        return wait < 0 ? left : Math.Min(wait, left);
    }

    private bool NeedsCycle()
    {
        foreach (var database in _state.Databases)
        {
            if (database.ExpiringCount > 0)
                return true;
        }

        return false;
    }

    private void RunCycle()
    {
        ReleaseHeld();
        var now = Stopwatch.GetTimestamp();
        if (now < _nextCycle)
            return;
        _nextCycle = now + (Stopwatch.Frequency / 10);
        foreach (var database in _state.Databases)
            database.RemoveExpired(ExpiryRounds);
    }

    private void Answer()
    {
        while (_requests.TryDequeue(out var asked))
        {
            try
            {
                Do(asked.Request);
                asked.Done.TrySetResult();
            }
            catch (Exception exception)
            {
                asked.Done.TrySetException(exception);
            }
        }
    }

    private void Do(LoopRequest request)
    {
        switch (request)
        {
            case LoopRequest.Listen:
                Listen();
                break;
            case LoopRequest.StopListening:
                StopListening();
                break;
            case LoopRequest.CloseConnections:
                CloseAll();
                break;
            case LoopRequest.Stop:
                _isStopping = true;
                break;
            case LoopRequest.NoticeStall:
            default:
                break;
        }
    }
}
