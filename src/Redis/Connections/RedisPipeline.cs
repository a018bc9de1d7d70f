using System.Diagnostics;
using System.Text;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// A connection for requests that are not waited for one by one: they are sent on the caller's thread, and their
/// replies are taken in order when there is time. Allocates nothing per request. Not thread safe; after a loss of no
/// more use.
/// </summary>
public sealed class RedisPipeline : IDisposable
{
    private readonly RedisConnection _connection;

    /// <summary>Takes over a connection on which nothing is outstanding.</summary>
    public RedisPipeline(RedisConnection connection)
    {
        _connection = connection;
        connection.Transport.WhileSendBlocks = () => Receive(Transport.NoWait);
    }

    /// <summary>The server, as it was reached.</summary>
    public RedisEndpoint Endpoint => _connection.Endpoint;

    /// <summary>How many requests have no reply taken yet.</summary>
    public long Outstanding { get; private set; }

    /// <summary>Bytes of requests that were sent, and of replies that came.</summary>
    public long Bytes { get; private set; }

    /// <summary>The version of RESP that was agreed on, 2 or 3.</summary>
    public int Protocol => _connection.Protocol;

    /// <summary>How bytes travel.</summary>
    public string TransportDescription => _connection.TransportDescription;

    /// <summary>How long a reply may take.</summary>
    public TimeSpan ReplyTimeout => _connection.CommandTimeout;

    /// <summary>Connects and logs in.</summary>
    /// <inheritdoc cref="RedisConnection.Open" path="/exception"/>
    public static RedisPipeline Open(RedisEndpoint endpoint, RedisConnectionOptions options) =>
        new(RedisConnection.Open(endpoint, options));

    /// <summary>Sends one whole request; returns when the kernel has it.</summary>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    /// <exception cref="RedisTimeoutException">The server took nothing for its time limit.</exception>
    public void Send(ReadOnlySpan<byte> request) => Send(request, 1);

    /// <summary>Sends so many whole requests; returns when the kernel has them.</summary>
    /// <inheritdoc cref="Send(ReadOnlySpan{byte})" path="/exception"/>
    public void Send(ReadOnlySpan<byte> requests, int count)
    {
        _connection.Transport.Send(requests);
        Outstanding += count;
        Bytes += requests.Length;
    }

    /// <summary>
    /// Receives what is there, or waits for something until then at the latest, as
    /// <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> reads. It may return earlier without anything. Replies
    /// that were taken before are no longer valid.
    /// </summary>
    /// <returns>Whether bytes came: a whole reply need not be among them.</returns>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    public bool Receive(long untilTimestamp)
    {
        var reader = _connection.Reader;
        var count = _connection.Transport.Receive(reader.GetSpace(), untilTimestamp);
        reader.Commit(count);
        Bytes += count;
        return count > 0;
    }

    /// <summary>
    /// Looks whether a reply is here while none is outstanding: the next request would be answered with it.
    /// </summary>
    /// <exception cref="RedisProtocolException">One is, or what came is no RESP.</exception>
    /// <inheritdoc cref="Receive" path="/exception"/>
    public void RequireSilence()
    {
        Receive(Transport.NoWait);
        TryTake(out _);
    }

    /// <summary>Takes the next reply out of what was received; pushes are left out.</summary>
    /// <exception cref="RedisProtocolException">What came is no RESP, or nothing had asked for it.</exception>
    public bool TryTake(out RespCursor reply)
    {
        while (_connection.Reader.TryRead(out reply))
        {
            if (reply.Type == RespType.Push)
                continue;
            if (Outstanding == 0)
                throw new RedisProtocolException("the server sent a reply that nobody asked for");
            Outstanding--;
            return true;
        }

        return false;
    }

    /// <summary>A part of the reply that was taken last, without a copy; valid as long as the reply is.</summary>
    public ReadOnlyMemory<byte> MemoryOf(ReadOnlySpan<byte> content) => _connection.Reader.MemoryOf(content);

    /// <summary>Sends a request, and waits for the answer; what is pushed counts as one.</summary>
    /// <exception cref="RedisServerException">It was refused.</exception>
    /// <inheritdoc cref="Await" path="/exception"/>
    public void Ask(params ReadOnlySpan<string> words)
    {
        var request = new RespWriter();
        request.WriteRequest(words);
        Send(request.Written);
        if (Await(words[0], orPush: true) is { IsError: true } reply)
            throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
    }

    /// <summary>Waits for the next reply. A long one may take longer than the limit, as long as it comes.</summary>
    /// <param name="command">What was asked, for the message.</param>
    /// <param name="orPush">Whether what is pushed counts as one.</param>
    /// <exception cref="RedisTimeoutException">None came in time.</exception>
    /// <inheritdoc cref="Receive" path="/exception"/>
    public RespCursor Await(string command, bool orPush = false)
    {
        var deadline = TimestampSpan.FromNow(ReplyTimeout);
        RespCursor reply;
        while (!(orPush ? TryTakeAny(out reply) : TryTake(out reply)))
        {
            if (Stopwatch.GetTimestamp() > deadline)
                throw new RedisTimeoutException($"no reply to {command} in time");
            if (Receive(deadline))
                deadline = TimestampSpan.FromNow(ReplyTimeout);
        }

        return reply;
    }

    /// <summary>
    /// Takes the next reply or push out of what was received; on a connection that is subscribed in RESP2, where pushes
    /// look like replies, <see cref="Outstanding"/> then says nothing.
    /// </summary>
    /// <exception cref="RedisProtocolException">What came is no RESP.</exception>
    public bool TryTakeAny(out RespCursor reply)
    {
        if (!_connection.Reader.TryRead(out reply))
            return false;
        if (reply.Type != RespType.Push)
            Outstanding--;
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _connection.Dispose();
}
