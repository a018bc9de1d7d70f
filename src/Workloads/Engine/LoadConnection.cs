using System.Net.Sockets;
using System.Numerics;
using System.Runtime.CompilerServices;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <summary>What is in flight on one connection, oldest first, and the reply that is not whole yet.</summary>
internal sealed class LoadConnection(int token, RedisEndpoint endpoint, int capacity, RequestBuffer requests)
{
    private readonly InFlightOperation[] _inFlight =
        new InFlightOperation[BitOperations.RoundUpToPowerOf2((uint)capacity)];
    private readonly int _mask = (int)BitOperations.RoundUpToPowerOf2((uint)capacity) - 1;
    private int _oldest;
    private long _begun;

    public int Token { get; } = token;

    public RedisEndpoint Endpoint { get; } = endpoint;

    public int Capacity { get; } = capacity;

    public RequestBuffer Requests { get; } = requests;

    public NodeConnections? Server { get; init; }

    public required ReplyScanner Scanner { get; init; }

    public ByteQueue Beginning { get; } = new();

    /// <summary>The first error among the replies of the oldest operation, of which others follow.</summary>
    public ByteQueue FirstError { get; } = new();

    public Socket? Socket { get; set; }

    public TlsSession? Tls { get; set; }

    /// <summary>Operations in flight, those in the request buffer included.</summary>
    public int InFlight { get; private set; }

    /// <summary>How many of the newest are still in the request buffer.</summary>
    public int Unflushed { get; set; }

    public int Unanswered => InFlight - Unflushed;

    /// <summary>Whether another socket was asked for that has not come.</summary>
    public bool IsAwaited { get; set; }

    /// <summary>Whether it waits in the queue of those that have room.</summary>
    public bool IsQueued { get; set; }

    public long OpenedAt { get; set; }

    public long AnsweredAt { get; set; }

    /// <summary>Whether a reply has come since its socket was opened.</summary>
    public bool HasAnswered => AnsweredAt >= OpenedAt;

    /// <summary>When the first reply to its batch came; zero until then.</summary>
    public long BatchAnsweredAt { get; set; }

    /// <summary>Requests after which it is closed and opened again.</summary>
    public long Lifetime { get; init; } = long.MaxValue;

    /// <summary>Whether it is being opened again because of that.</summary>
    public bool IsRenewing { get; set; }

    /// <summary>Whether nothing more is sent on it, and all is answered.</summary>
    public bool IsSpent => _begun >= Lifetime && InFlight == 0 && Socket is not null;

    public bool WasConnected { get; private set; }

    public bool WasWaiting { get; private set; }

    /// <summary>Whether it was given up after the end, because its oldest request was not answered in time.</summary>
    public bool WasStuck { get; set; }

    /// <summary>How many operations it may still begin, where each connection has so many.</summary>
    public long Left { get; set; } = long.MaxValue;

    public bool MayBegin => HasRoom && Left > 0;

    public bool HasRoom => InFlight < Capacity && Socket is not null && _begun < Lifetime;

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
        _begun++;
        return ref place;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Pop()
    {
        _oldest = (_oldest + 1) & _mask;
        InFlight--;
    }

    public void MarkEnd(bool isRenewed) =>
        (WasConnected, WasWaiting) = (Socket is not null || isRenewed, InFlight > 0);

    public void Clear()
    {
        InFlight = 0;
        _begun = 0;
        Unflushed = 0;
        Requests.Clear();
        Beginning.Drop(Beginning.Length);
        FirstError.Drop(FirstError.Length);
        Scanner.Reset();
    }
}
