using System.Diagnostics;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Psync;

/// <summary>How a source answered: with everything, or with what came since.</summary>
/// <param name="IsFull">Whether its whole data set comes first.</param>
/// <param name="Position">Whose stream it is, and where it begins: behind that offset.</param>
public readonly record struct ReplicationStart(bool IsFull, ReplicationPosition Position);

/// <summary>
/// Presents itself as a replica and asks for the stream, in the order of redis-server (replication.c). Neither
/// dual-channel of Valkey 8 nor the channel of its own for the data set of Redis 8 is offered.
/// </summary>
internal static class ReplicationHandshake
{
    private const int LongestLine = 4096;
    private const int IdLength = 40;

    // Of the newest files that are read: VALKEY081.
    private const string NewestValkey = "9.2.0";

    /// <param name="connection">Logged in.</param>
    /// <param name="options">What is offered.</param>
    /// <param name="from">Where to go on; null for everything.</param>
    /// <param name="rest">Bytes that came behind the answer.</param>
    /// <exception cref="RedisServerException">
    /// The source refuses, or is not ready: <see cref="RedisException.IsTransient"/> says which.
    /// </exception>
    public static ReplicationStart Run(
        RedisConnection connection, ReplicationOptions options, ReplicationPosition? from, out byte[] rest)
    {
        // Only for those who look at the source's INFO: an error does not matter, but for a right that is missing.
        var port = options.ListeningPort.ToString(CultureInfo.InvariantCulture);
        ThrowIfNotPermitted(connection, connection.Request("REPLCONF", "listening-port", port));
        var offered = options.AcceptsDiskless
            ? connection.Request("REPLCONF", "capa", "eof", "capa", "psync2")
            : connection.Request("REPLCONF", "capa", "psync2");
        ThrowIfNotPermitted(connection, offered);
        // To a replica that does not say so, Valkey from 9 on writes an older file, and breaks off where that cannot
        // hold a key. Others do not know the word.
        connection.Request("REPLCONF", "version", NewestValkey);
        from = PlaceAt(connection, from);
        var request = new RespWriter();
        request.WriteRequest(
            options.Command,
            from?.ReplicationId ?? "?",
            ((from?.Offset ?? -2) + 1).ToString(CultureInfo.InvariantCulture));
        connection.Transport.Send(request.Written);
        return Parse(connection, ReadLine(connection, options.SilenceLimit, out rest), from);
    }

    private static ReplicationStart Parse(RedisConnection connection, string line, ReplicationPosition? from)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        switch (words)
        {
            case ["+FULLRESYNC", { Length: IdLength } id, var offset]
                when long.TryParse(offset, NumberStyles.None, CultureInfo.InvariantCulture, out var start):
                return new(IsFull: true, new(id, start));
            case ["+CONTINUE", ..] when from is { } position:
                var adopted = words is [_, { Length: IdLength } newId, ..] ? newId : position.ReplicationId;
                return new(IsFull: false, new(adopted, position.Offset));
            case [['-', ..], ..]:
                throw Refused(connection, line[1..]);
            default:
                var shown = RespFault.Show(Encoding.Latin1.GetBytes(line));
                throw new RedisProtocolException($"{connection.Endpoint.Address} answered PSYNC with {shown}");
        }
    }

    // A server that took the place of the source has its stream up to where it did, and no further. What the source
    // still sent behind that, as what Sentinels publish there, can be had from nobody; where none of it is data, it
    // need not be.
    private static ReplicationPosition? PlaceAt(RedisConnection connection, ReplicationPosition? from)
    {
        if (from is not { } position || position.DataOffset >= position.Offset
            || connection.Request("INFO", "replication") is not { IsError: false } reply)
        {
            return from;
        }

        var facts = ServerFacts.FieldsOf(reply.Text);
        return facts.GetValueOrDefault("master_replid2") == position.ReplicationId
            && long.TryParse(
                facts.GetValueOrDefault("second_repl_offset"), NumberStyles.None, CultureInfo.InvariantCulture,
                out var first)
            && first > position.DataOffset && first <= position.Offset
            ? new ReplicationPosition(position.ReplicationId, first - 1)
            : from;
    }

    private static RedisServerException Refused(RedisConnection connection, string error)
    {
        var problem = new RedisServerException(error);
        return new RedisServerException(error, problem.Code switch
        {
            "NOPERM" => $"{connection.Endpoint.Address}: the user may not replicate: it needs +psync +replconf +ping "
                + $"(the server says: {error})",
            "NOMASTERLINK" => $"{connection.Endpoint.Address} is a replica that has lost its own source",
            _ => $"{connection.Endpoint.Address} refuses to be replicated: {error}",
        });
    }

    private static void ThrowIfNotPermitted(RedisConnection connection, RespValue reply)
    {
        if (reply.IsError && new RedisServerException(reply.Text).Code is "NOPERM" or "NOAUTH")
            throw Refused(connection, reply.Text);
    }

    // Until the source has an answer it sends line feeds, so that neither end takes the other for dead.
    private static string ReadLine(RedisConnection connection, TimeSpan silenceLimit, out byte[] rest)
    {
        var line = new List<byte>();
        var buffer = new byte[LongestLine];
        var deadline = TimestampSpan.FromNow(silenceLimit);
        while (true)
        {
            var count = connection.Transport.Receive(buffer, deadline);
            if (count > 0)
                deadline = TimestampSpan.FromNow(silenceLimit);
            else if (Stopwatch.GetTimestamp() >= deadline)
                throw Silent(connection, silenceLimit);
            for (var i = 0; i < count; i++)
            {
                if (buffer[i] == '\n' && line.Count > 0)
                {
                    rest = buffer[(i + 1)..count];
                    return Encoding.Latin1.GetString([.. line]).TrimEnd('\r');
                }

                if (buffer[i] != '\n')
                    line.Add(buffer[i]);
                if (line.Count > LongestLine)
                    throw new RedisProtocolException($"{connection.Endpoint.Address}: its answer to PSYNC has no end");
            }
        }
    }

    public static RedisTimeoutException Silent(RedisConnection connection, TimeSpan limit) =>
        new($"{connection.Endpoint.Address} has sent nothing for {limit.TotalSeconds:0.#} s");
}
