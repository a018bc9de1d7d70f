using System.Text;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Clients;

internal sealed class ClientConnection(
    NonBlockingSocket socket, int token, long id, string address, string localAddress)
{
    public NonBlockingSocket Socket { get; } = socket;

    public int Token { get; } = token;

    public long Id { get; } = id;

    public string Address { get; } = address;

    public string LocalAddress { get; } = localAddress;

    /// <summary>When it connected, in milliseconds since the Unix epoch.</summary>
    public long ConnectedAt { get; init; }

    /// <summary>When it last sent something, in milliseconds since the Unix epoch.</summary>
    public long ActiveAt { get; set; }

    public RespRequestReader Requests { get; } = new();

    public OutputBuffer Output { get; } = new();

    public ClientSubscriptions Subscriptions { get; } = new();

    public int Protocol { get; set; } = 2;

    public int Database { get; set; }

    public string Name { get; set; } = string.Empty;

    public string LibraryName { get; set; } = string.Empty;

    public string LibraryVersion { get; set; } = string.Empty;

    public ServerUser? User { get; private set; }

    public ReplyMode ReplyMode { get; set; }

    public string LastCommand { get; set; } = "NULL";

    public bool ClosesAfterReply { get; set; }

    /// <summary>It is closed at the end of the turn, whatever it has still to be sent.</summary>
    public bool ClosesNow { get; set; }

    public bool IsFlushing { get; set; }

    public bool AwaitsWritable { get; set; }

    /// <summary>Until when nothing is sent, as Stopwatch reads; zero where nothing holds it.</summary>
    public long HeldUntil { get; set; }

    /// <summary>Since when its output exceeds the soft limit, as Stopwatch reads; zero where it does not.</summary>
    public long OverSoftLimitSince { get; set; }

    public void Authenticate(ServerUser? user)
    {
        User = user;
        Requests.IsAuthenticated = user is not null;
    }

    /// <summary>
    /// The line of CLIENT LIST and CLIENT INFO, with the fields of Redis 7.0 that mean something here.
    /// </summary>
    public string Describe(long now)
    {
        var flags = Subscriptions.Count > 0 ? "P" : "N";
        return new StringBuilder()
            .Append(FormattableString.Invariant($"id={Id} addr={Address} laddr={LocalAddress} fd={Token} name={Name} "))
            .Append(FormattableString.Invariant($"age={(now - ConnectedAt) / 1000} idle={(now - ActiveAt) / 1000} "))
            .Append(FormattableString.Invariant($"flags={flags} db={Database} sub={Subscriptions.Channels.Count} "))
            .Append(FormattableString.Invariant($"psub={Subscriptions.Patterns.Count} "))
            .Append(FormattableString.Invariant($"ssub={Subscriptions.ShardChannels.Count} multi=-1 "))
            .Append(FormattableString.Invariant($"qbuf={Requests.Buffered} obl={Output.Pending} oll=0 "))
            .Append(FormattableString.Invariant($"omem={Output.Pending} events=r cmd={LastCommand} "))
            .Append(FormattableString.Invariant($"user={User?.Name} resp={Protocol} "))
            .Append(FormattableString.Invariant($"lib-name={LibraryName} lib-ver={LibraryVersion}"))
            .ToString();
    }
}

internal sealed class ClientSubscriptions
{
    public HashSet<byte[]> Channels { get; } = new(ByteStringComparer.Instance);

    public HashSet<byte[]> Patterns { get; } = new(ByteStringComparer.Instance);

    public HashSet<byte[]> ShardChannels { get; } = new(ByteStringComparer.Instance);

    public int Count => Channels.Count + Patterns.Count + ShardChannels.Count;
}
