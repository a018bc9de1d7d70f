using System.Net.Sockets;
using System.Runtime.CompilerServices;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <summary>What is in flight on one connection, oldest first, and the reply that is not whole yet.</summary>
internal sealed class LoadConnection
{
    private readonly InFlightOperation[] _inFlight;
    private readonly int _mask;
    private int _oldest;

    public LoadConnection(int token, RedisEndpoint endpoint, int capacity, RequestBuffer requests)
    {
        Token = token;
        Endpoint = endpoint;
        Capacity = capacity;
        Requests = requests;
        _inFlight = new InFlightOperation[(int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)capacity)];
        _mask = _inFlight.Length - 1;
    }

    public int Token { get; }

    public RedisEndpoint Endpoint { get; }

    public int Capacity { get; }

    public RequestBuffer Requests { get; }

    public NodeConnections? Server { get; init; }

    public required ReplyScanner Scanner { get; init; }

    public ByteQueue Beginning { get; } = new();

    public Socket? Socket { get; set; }

    public TlsSession? Tls { get; set; }

    /// <summary>Operations in flight, those in the request buffer included.</summary>
    public int InFlight { get; private set; }

    /// <summary>How many of the newest are still in the request buffer.</summary>
    public int Unflushed { get; set; }

    /// <summary>How many of the newest are with the loop, which has not handed them to the kernel yet.</summary>
    public int Unstamped { get; set; }

    public int Unanswered => InFlight - Unflushed - Unstamped;

    /// <summary>Whether another socket was asked for that has not come.</summary>
    public bool IsAwaited { get; set; }

    /// <summary>Whether it waits in the queue of those that have room.</summary>
    public bool IsQueued { get; set; }

    public long AnsweredAt { get; set; }

    /// <summary>Whether it was connected when the phase ended.</summary>
    public bool WasConnected { get; private set; }

    public bool WasWaiting { get; private set; }

    public bool HasRoom => InFlight < Capacity && Socket is not null;

    public ref InFlightOperation Oldest => ref _inFlight[_oldest];

    /// <summary>One of those in flight, counted from the newest, which is 1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref InFlightOperation Newest(int place) => ref _inFlight[(_oldest + InFlight - place) & _mask];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref InFlightOperation Push()
    {
        ref var place = ref _inFlight[(_oldest + InFlight) & _mask];
        InFlight++;
        Unflushed++;
        return ref place;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Pop()
    {
        _oldest = (_oldest + 1) & _mask;
        InFlight--;
    }

    public void MarkEnd() => (WasConnected, WasWaiting) = (Socket is not null, InFlight > 0);

    public void Clear()
    {
        InFlight = 0;
        Unflushed = 0;
        Unstamped = 0;
        Beginning.Drop(Beginning.Length);
        Scanner.Reset();
    }
}
