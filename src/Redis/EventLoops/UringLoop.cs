using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Lets the kernel receive by itself (multishot receive into a ring of buffers) and hands it all sends of a round with
/// the very call that waits for the next: one system call per round instead of two per connection. Linux 6.1.
/// </summary>
/// <remarks>
/// The ring belongs to the thread that polls, so it is made by the first poll or send. A send is asked for with
/// MSG_DONTWAIT | MSG_WAITALL and IOSQE_CQE_SKIP_SUCCESS: the kernel either sends everything while it takes the entry,
/// and says nothing, or says how much it did send. So a buffer is free again once its entry was taken and nothing was
/// said, and the wait for the next bytes is not ended by sends that went well.
/// </remarks>
public sealed unsafe partial class UringLoop : StreamLoop
{
    private const uint Entries = 1024;

    private readonly EventFile _wake = new();
    private readonly Dictionary<int, Socket> _early = [];
    private readonly List<RingConnection?> _connections = [];
    private readonly Stack<int> _free = new();
    private readonly List<RingConnection> _undecided = [];
    private readonly List<RingConnection> _leaving = [];
    private RingConnection?[] _byToken = new RingConnection?[64];
    private UringQueues? _queues;
    private ReceiveBuffers? _buffers;
    private IStreamReceiver? _receiver;
    private bool _hasSends;

    // Up to where in the queue it is known what became of each send that the kernel has taken.
    private long _decided;

    /// <inheritdoc/>
    public override bool SendsAtOnce => false;

    internal UringQueues? Queues => _queues;

    /// <summary>Why this machine has no such loop, or null: the kernel is too old, or the sandbox forbids it.</summary>
    public static string? Missing { get; } = Probe();

    /// <inheritdoc/>
    public override string Name => "io_uring";

    /// <inheritdoc/>
    public override void Add(Socket socket, int token)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(token);
        if (_queues is null)
            _early.Add(token, socket);
        else
            Register(socket, token);
    }

    /// <inheritdoc/>
    public override void Remove(int token)
    {
        if (_early.Remove(token) || token >= _byToken.Length || _byToken[token] is not { } connection)
            return;
        _byToken[token] = null;
        connection.IsRemoved = true;
        // The kernel holds the socket while it receives on it. And its owner closes it now: an entry that is handed
        // over later would name a descriptor that is another's by then.
        if (connection.IsReceiving)
            Cancel(connection);
        HandOver(0, 0);
        _queues!.Withdraw(connection.Descriptor);
        _leaving.Add(connection);
    }

    /// <inheritdoc/>
    public override void Send(int token, ReadOnlySpan<byte> bytes)
    {
        if (_queues is null)
            Begin();
        if (_byToken[token] is not { } connection)
            return;
        if (connection.IsSending || connection.Waiting.Length > 0)
        {
            connection.Waiting.Append(bytes);
        }
        else if (IsOurs(connection))
        {
            // The entry has not been handed over: it can still become longer.
            bytes.CopyTo(connection.GetOut(bytes.Length));
            connection.OutLength += bytes.Length;
            connection.Entry->Address = (ulong)connection.OutAddress;
            connection.Entry->Length = (uint)connection.OutLength;
        }
        else if (IsUndecided(connection))
        {
            // It was handed over before its time, in the middle of a round: how it went is known at the end of it.
            connection.Waiting.Append(bytes);
            _undecided.Add(connection);
        }
        else
        {
            connection.OutLength = 0;
            bytes.CopyTo(connection.GetOut(bytes.Length));
            connection.OutLength = bytes.Length;
            SendAtOnce(connection);
        }

        _hasSends = true;
    }

    /// <inheritdoc/>
    public override int Poll(IStreamReceiver receiver, long timeoutNs)
    {
        if (_queues is null)
            Begin();
        _receiver = receiver;
        // The answers to sends come while the kernel takes them, before those that are waited for, but behind those to
        // what was handed over since the last wait.
        var isInOrder = _decided == _queues.Taken;
        HandOver(timeoutNs == 0 ? 0u : 1u, timeoutNs);
        if (isInOrder && !_queues.HasOverflow)
            _decided = _queues.Taken;
        var told = TakeAll(receiver);
        while (_queues.HasOverflow)
        {
            HandOver(0, 0);
            told += TakeAll(receiver);
        }

        _decided = _queues.Taken;
        SendUndecided();
        ForgetLeaving();
        return told;
    }

    private int TakeAll(IStreamReceiver receiver)
    {
        var told = 0;
        while (_queues!.TryTake(out var completion))
        {
            var id = (int)(completion.Token >> WorkBits);
            switch ((RingWork)(completion.Token & WorkMask))
            {
                case RingWork.Receive:
                    told += Received(receiver, _connections[id]!, completion);
                    break;
                case RingWork.Send:
                    Sent(_connections[id]!, completion.Result);
                    break;
                case RingWork.Wake:
                    _wake.Clear();
                    WatchWake();
                    break;
            }
        }

        return told;
    }

    /// <inheritdoc/>
    public override void Wake() => _wake.Set();

    /// <inheritdoc/>
    public override void Dispose()
    {
        // The ring first: until it is closed, the kernel may write into the buffers.
        _queues?.Dispose();
        _buffers?.Dispose();
        _wake.Dispose();
    }

    private static string? Probe()
    {
        if (ReadinessPoller.IsPortable || !Environment.Is64BitProcess)
            return "it is on 64-bit Linux alone, and not where the portable calls are asked for";
        try
        {
            using var queues = new UringQueues(8);
            using var buffers = new ReceiveBuffers(queues, 1);
            return null;
        }
        catch (Win32Exception problem)
        {
            return problem.Message;
        }
    }

    [MemberNotNull(nameof(_queues))]
    private void Begin()
    {
        _queues = new UringQueues(Entries);
        _buffers = new ReceiveBuffers(_queues, _early.Count);
        WatchWake();
        foreach (var (token, socket) in _early)
            Register(socket, token);
        _early.Clear();
    }

    private void Register(Socket socket, int token)
    {
        if (token >= _byToken.Length)
            Array.Resize(ref _byToken, Math.Max(token + 1, _byToken.Length * 2));
        if (_byToken[token] is not null)
            throw new ArgumentException($"The loop has a connection {token} already.", nameof(token));
        var id = _free.Count > 0 ? _free.Pop() : _connections.Count;
        var connection = new RingConnection(id, token, (int)socket.Handle);
        if (id == _connections.Count)
            _connections.Add(connection);
        else
            _connections[id] = connection;
        _byToken[token] = connection;
        Receive(connection);
    }
}

/// <summary>What a completion answers; the lowest bits of its token.</summary>
internal enum RingWork
{
    Receive,
    Send,
    Wake,
    Cancel,
}

/// <summary>A connection of a ring; its id is taken until the kernel has nothing more to say of it.</summary>
internal sealed unsafe class RingConnection(int id, int token, int descriptor)
{
    private byte[] _out = GC.AllocateUninitializedArray<byte>(1024, pinned: true);
    private int _outStart;

    public int Id { get; } = id;

    public int Token { get; } = token;

    public int Descriptor { get; } = descriptor;

    /// <summary>What was last asked to be sent, and is not known to have been.</summary>
    public int OutLength { get; set; }

    public byte* OutAddress => (byte*)Marshal.UnsafeAddrOfPinnedArrayElement(_out, _outStart);

    /// <summary>The last entry to send at once, and null where there is none.</summary>
    public SubmissionEntry* Entry { get; set; }

    public long EntryPosition { get; set; }

    /// <summary>Whether the kernel will say when it has sent all of it.</summary>
    public bool IsSending { get; set; }

    public bool IsReceiving { get; set; }

    public bool IsRemoved { get; set; }

    /// <summary>What came to be sent while the kernel was sending.</summary>
    public ByteQueue Waiting { get; } = new();

    public Span<byte> GetOut(int length)
    {
        if (OutLength == 0)
            _outStart = 0;
        var needed = OutLength + length;
        if (_out.Length - _outStart < needed)
        {
            var larger = GC.AllocateUninitializedArray<byte>(Math.Max(needed, _out.Length * 2), pinned: true);
            _out.AsSpan(_outStart, OutLength).CopyTo(larger);
            (_out, _outStart) = (larger, 0);
        }

        return _out.AsSpan(_outStart + OutLength, length);
    }

    public void DropOut(int count)
    {
        _outStart += count;
        OutLength -= count;
    }

    public void TakeWaiting()
    {
        if (Waiting.Length == 0)
            return;
        Waiting.Bytes.CopyTo(GetOut(Waiting.Length));
        OutLength = Waiting.Length;
        Waiting.Drop(Waiting.Length);
    }
}
