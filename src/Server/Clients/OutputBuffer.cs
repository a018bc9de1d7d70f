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
