using System.Diagnostics;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// One connection for commands that are not measured: it sends on the caller's thread and blocks there until the
/// reply has come. Not thread safe. After a time-out, a protocol error or a loss it is of no more use.
/// </summary>
public sealed class RedisConnection : IDisposable
{
    private readonly RespWriter _writer = new();
    private RedisException? _fault;

    internal RedisConnection(RedisEndpoint endpoint, RedisConnectionOptions options, Transport transport)
    {
        Endpoint = endpoint;
        Transport = transport;
        CommandTimeout = endpoint.CommandTimeout ?? options.CommandTimeout;
        ReplyDeadline = long.MaxValue;
    }

    /// <summary>Where it leads.</summary>
    public RedisEndpoint Endpoint { get; }

    /// <summary>The version of RESP that was agreed on, 2 or 3.</summary>
    public int Protocol { get; internal set; } = 2;

    /// <summary>How long a reply may take.</summary>
    public TimeSpan CommandTimeout { get; }

    /// <summary>How bytes travel.</summary>
    public string TransportDescription => Transport.Description;

    /// <summary>Whether it is of no more use: after a time-out, a protocol error or a loss.</summary>
    public bool IsFaulted => _fault is not null;

    /// <summary>The number by which the server knows it (CLIENT ID); null where RESP2 is spoken.</summary>
    public long? ClientId => Hello?.Find("id")?.Number;

    /// <summary>What HELLO said, or null where RESP2 is spoken.</summary>
    internal RespValue? Hello { get; set; }

    internal Transport Transport { get; }

    internal RespReader Reader { get; } = new(limits: RespLimits.Control);

    /// <summary>
    /// A time that no wait may pass, whatever the command's own limit: the end of the time to connect.
    /// </summary>
    internal long ReplyDeadline { get; set; }

    internal bool HasHeardFromServer { get; private set; }

    /// <summary>
    /// Connects, speaks TLS where asked, logs in, names the connection and selects the database. Of a cluster's
    /// addresses it takes the first that answers; through Sentinels it goes to the primary, which has said that it is
    /// one. <see cref="Endpoint"/> is then the server's own.
    /// </summary>
    /// <exception cref="RedisConnectException">
    /// It cannot be opened; <see cref="RedisConnectException.Reason"/> says why.
    /// </exception>
    /// <exception cref="RedisServerException">
    /// The server is there but not ready: it loads its data, for example.
    /// </exception>
    public static RedisConnection Open(RedisEndpoint endpoint, RedisConnectionOptions? options = null)
    {
        options ??= new RedisConnectionOptions();
        return endpoint.Topology switch
        {
            EndpointTopology.Cluster => AnyServer.Open(endpoint, options),
            EndpointTopology.Sentinel => new SentinelResolver(endpoint, options).OpenPrimary(),
            _ => ConnectionOpening.Open(endpoint, options),
        };
    }

    /// <summary>Sends a command and waits for its reply.</summary>
    /// <exception cref="RedisServerException">The reply is an error.</exception>
    /// <exception cref="RedisTimeoutException">No reply came in time.</exception>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    public RespValue Execute(params ReadOnlySpan<string> words)
    {
        var reply = Request(words);
        return reply.IsError ? throw new RedisServerException(reply.Text) : reply;
    }

    /// <summary>Sends a command and waits for its reply, which may be an error.</summary>
    /// <inheritdoc cref="Execute" path="/exception[position()>1]"/>
    public RespValue Request(params ReadOnlySpan<string> words) => Request(Reader.Limits, words);

    /// <summary>Sends a command whose reply may be longer than others, and waits for it; it may be an error.</summary>
    /// <param name="limits">What is accepted.</param>
    /// <param name="words">The command.</param>
    /// <inheritdoc cref="Execute" path="/exception[position()>1]"/>
    public RespValue Request(RespLimits limits, params ReadOnlySpan<string> words)
    {
        var usual = Reader.Limits;
        Reader.Limits = limits;
        ThrowIfFaulted();
        _writer.Clear();
        _writer.WriteRequest(words);
        try
        {
            Send(_writer.Written);
            return ReadReply();
        }
        catch (RedisException problem) when (problem is not RedisServerException)
        {
            _fault = problem;
            throw;
        }
        finally
        {
            Reader.Limits = usual;
        }
    }

    /// <summary>
    /// Hands the connection over, logged in and with nothing unread, to an event loop. This one is then of no more use
    /// and needs no disposal.
    /// </summary>
    /// <exception cref="RedisProtocolException">The server has said more than it was asked for.</exception>
    public TakenConnection Take() => Reader.Unread == 0
        ? Transport.Take()
        : throw new RedisProtocolException($"{Endpoint}: the server sent a reply that nobody asked for");

    /// <inheritdoc/>
    public void Dispose() => Transport.Dispose();

    /// <summary>Waits for the next whole reply; pushes are handed out too.</summary>
    internal RespCursor ReadAny(long deadline)
    {
        RespCursor reply;
        while (!Reader.TryRead(out reply))
        {
            if (Stopwatch.GetTimestamp() >= deadline)
            {
                throw new RedisTimeoutException($"{Endpoint}: no reply within {CommandTimeout.TotalSeconds:0.###} s");
            }

            Receive(deadline);
        }

        return reply;
    }

    private void Receive(long deadline)
    {
        try
        {
            var count = Transport.Receive(Reader.GetSpace(), deadline);
            Reader.Commit(count);
            HasHeardFromServer |= count > 0;
        }
        catch (RedisConnectionLostException problem) when (Reader.Unread > 0)
        {
            throw new RedisConnectionLostException($"{problem.Message} in the middle of a reply", problem);
        }
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        try
        {
            Transport.Send(bytes);
        }
        catch (RedisConnectionLostException)
        {
            // A server that turns a client away says why, by a reply or by an alert of TLS, and closes at once: its
            // word is there to be read.
            Receive(Stopwatch.GetTimestamp());
            if (Reader.Unread == 0)
                throw;
        }
    }

    private RespValue ReadReply()
    {
        var deadline = Math.Min(TimestampSpan.FromNow(CommandTimeout), ReplyDeadline);
        while (true)
        {
            var reply = ReadAny(deadline);
            if (reply.Type != RespType.Push)
                return RespValue.From(ref reply);
        }
    }

    private void ThrowIfFaulted()
    {
        if (_fault is not null)
        {
            throw new RedisConnectionLostException(
                $"{Endpoint}: the connection ended before: {_fault.Message}", _fault);
        }
    }
}

/// <summary>How a connection is opened and kept.</summary>
public sealed record RedisConnectionOptions
{
    /// <summary>The limit for name lookup, connecting, TLS and login together.</summary>
    /// <value>The default is 5 s.</value>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The limit for the reply to a command.</summary>
    /// <value>The default is 5 s.</value>
    public TimeSpan CommandTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// After how long a silent peer is asked by the kernel whether it is still there (TCP keep-alive); it is given
    /// up when it does not answer three times in as long again. Zero never asks.
    /// </summary>
    /// <value>The default is 30 s.</value>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The name for CLIENT SETNAME; empty sets none. Spaces are not allowed in it.</summary>
    public string ClientName { get; init; } = "redislatency";

    /// <summary>Which version of the protocol to ask for.</summary>
    public RespPreference Protocol { get; init; }

    /// <summary>
    /// Whether READONLY is sent: a node of a cluster that is or becomes a replica otherwise sends every reader to its
    /// primary.
    /// </summary>
    public bool ReadsReplica { get; init; }

    /// <summary>What is accepted of the server once it has let us in; of the login less.</summary>
    /// <value>The default is what short answers need, 64 KiB.</value>
    public RespLimits ReplyLimits { get; init; } = RespLimits.Control;

    /// <summary>Whether to spin on the socket instead of waiting in the kernel.</summary>
    public bool BusyPoll { get; init; }

    /// <summary>Whether to use the portable transport where a better one exists, to test it.</summary>
    internal bool IsPortable { get; init; } = ReadinessPoller.IsPortable;
}

/// <summary>Which version of the protocol to ask for.</summary>
public enum RespPreference
{
    /// <summary>RESP3, and RESP2 where the server does not know it or the user may not ask.</summary>
    Auto = 0,

    /// <summary>RESP2 only; HELLO is not sent.</summary>
    Resp2 = 2,

    /// <summary>RESP3 or no connection.</summary>
    Resp3 = 3,
}
