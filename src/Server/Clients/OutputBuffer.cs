using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Clients;

internal sealed class OutputBuffer
{
    private const int InitialCapacity = 16 * 1024;
    private const int KeptCapacity = 8 << 20;
    private const int SentBeforeCompaction = 64 * 1024;

    private RespWriter _spare = new(64);
    private int _sent;

    /// <summary>Where replies and messages are written; another after each <see cref="TrySend"/>.</summary>
    public RespWriter Writer { get; private set; } = new(InitialCapacity);

    public int Pending => Writer.Length - _sent;

    /// <returns>Whether the connection still stands.</returns>
    public bool TrySend(NonBlockingSocket socket)
    {
        while (Pending > 0)
        {
            var count = socket.Send(Writer.Written[_sent..]);
            if (count == NonBlockingSocket.Broken)
                return false;
            if (count == NonBlockingSocket.WouldBlock)
            {
                Compact();
                return true;
            }

            _sent += count;
        }

        StartOver();
        return true;
    }

    private void StartOver()
    {
        _sent = 0;
        if (Writer.Length > KeptCapacity)
            Writer = new RespWriter(InitialCapacity);
        Writer.Clear();
    }

    /// <summary>Drops what was sent; a reader that never quite catches up must not make the buffer endless.</summary>
    private void Compact()
    {
        if (_sent < SentBeforeCompaction || _sent < Pending)
            return;
        _spare.Clear();
        _spare.WriteRaw(Writer.Written[_sent..]);
        (Writer, _spare) = (_spare, Writer);
        _sent = 0;
    }
}

/// <summary>
/// How much unread output a subscriber may leave on the server before it is dropped, as Redis's
/// <c>client-output-buffer-limit pubsub</c>.
/// </summary>
/// <param name="HardBytes">Dropped at once above so many bytes; zero means no limit.</param>
/// <param name="SoftBytes">Dropped when above so many bytes for longer than <paramref name="SoftTime"/>.</param>
/// <param name="SoftTime">How long the soft limit may be exceeded.</param>
public sealed record OutputBufferLimit(long HardBytes, long SoftBytes, TimeSpan SoftTime)
{
    /// <summary>Redis's default: 32 MiB hard, 8 MiB for 60 s soft.</summary>
    public static OutputBufferLimit Default { get; } = new(32L << 20, 8L << 20, TimeSpan.FromSeconds(60));
}

/// <summary>Clients with something to send in this turn: a message's subscribers before its publisher.</summary>
internal sealed class FlushQueue
{
    private readonly List<ClientConnection> _clients = new(64);

    public int Count => _clients.Count;

    public ClientConnection this[int index] => _clients[index];

    public void Add(ClientConnection client)
    {
        if (client.IsFlushing)
            return;
        client.IsFlushing = true;
        _clients.Add(client);
    }

    public void Clear() => _clients.Clear();
}
