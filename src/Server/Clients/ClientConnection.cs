using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Clients;

internal sealed class ClientConnection(NonBlockingSocket socket, int token, long id)
{
    public NonBlockingSocket Socket { get; } = socket;

    public int Token { get; } = token;

    public long Id { get; } = id;

    public RespRequestReader Requests { get; } = new();

    public OutputBuffer Output { get; } = new();

    /// <summary>What it is subscribed to.</summary>
    public HashSet<byte[]> Channels { get; } = new(ByteStringComparer.Instance);

    public int Protocol { get; set; } = 2;

    public bool ClosesAfterReply { get; set; }

    /// <summary>It is closed at the end of the turn, whatever it has still to be sent.</summary>
    public bool ClosesNow { get; set; }

    public bool IsFlushing { get; set; }

    public bool AwaitsWritable { get; set; }

    /// <summary>Until when nothing is sent, as Stopwatch reads; zero where nothing holds it.</summary>
    public long HeldUntil { get; set; }

    /// <summary>Since when its output exceeds the soft limit, as Stopwatch reads; zero where it does not.</summary>
    public long OverSoftLimitSince { get; set; }
}
