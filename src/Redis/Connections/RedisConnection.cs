using System.Diagnostics;
using RedisLatency.Redis.Endpoints;
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

    /// <summary>Connects, and spends no more than so long on connecting and on each command.</summary>
    /// <inheritdoc cref="Open" path="/exception"/>
    public static RedisConnection OpenWithin(TimeSpan most, RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var limited = options with
        {
            ConnectTimeout = Least(endpoint.ConnectTimeout ?? options.ConnectTimeout),
            CommandTimeout = Least(endpoint.CommandTimeout ?? options.CommandTimeout),
        };
        return Open(endpoint with { ConnectTimeout = null, CommandTimeout = null }, limited);

        TimeSpan Least(TimeSpan limit) => limit < most ? limit : most;
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
