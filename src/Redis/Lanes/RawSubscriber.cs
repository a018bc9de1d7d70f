using System.Diagnostics;
using System.Text;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Lanes;

/// <summary>The subscribed half of the raw lane: one blocking receive per message, handed out in place.</summary>
internal sealed class RawSubscriber : IDisposable
{
    // Room for the message's own header, the channel's name, and messages that came along.
    private const int RoomForMore = 64 << 10;

    private readonly byte[][] _channels;
    private readonly RespReader _reader;
    private int _lastChannel;
    private long _receivedTimestamp;
    private int _questions;

    private RawSubscriber(RedisConnection connection, LaneOptions lane)
    {
        Connection = connection;
        _channels = [.. lane.SubscribeChannels.Select(Encoding.UTF8.GetBytes)];
        _reader = new RespReader(lane.MaxPayload + RoomForMore, connection.Reader.Limits);
        // Messages may have come together with the confirmation.
        _reader.Feed(connection.Reader.UnreadBytes);
        _receivedTimestamp = Stopwatch.GetTimestamp();
    }

    public RedisConnection Connection { get; }

    public long? UnansweredSince { get; private set; }

    public static RawSubscriber Open(RedisEndpoint endpoint, RedisConnectionOptions options, LaneOptions lane)
    {
        var limits = RespLimits.OfMessages(lane.MaxPayload, RoomForMore);
        var connection = RedisConnection.Open(endpoint, options with { ReplyLimits = limits });
        try
        {
            Subscription.Confirm(connection, lane.SubscribeChannels);
            return new RawSubscriber(connection, lane);
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        while (true)
        {
            while (_reader.TryRead(out var reply))
            {
                if (TryTakeMessage(reply, out message))
                    return true;
            }

            if (!Receive(untilTimestamp))
            {
                message = default;
                return false;
            }
        }
    }

    // A subscribed connection may ask this one thing, in either version of the protocol.
    public void Ask()
    {
        Connection.Transport.Send("*1\r\n$4\r\nPING\r\n"u8);
        _questions++;
        UnansweredSince ??= Stopwatch.GetTimestamp();
    }

    public void Dispose() => Connection.Dispose();

    private bool Receive(long untilTimestamp)
    {
        var space = _reader.GetSpace();
        int count;
        try
        {
            count = Connection.Transport.Receive(space, untilTimestamp);
        }
        catch (RedisConnectionLostException problem) when (_reader.Unread > 0)
        {
            throw new RedisConnectionLostException($"{problem.Message} in the middle of a message", problem);
        }

        if (count == 0)
            return false;
        _receivedTimestamp = Stopwatch.GetTimestamp();
        UnansweredSince = null;
        _reader.Commit(count);
        return true;
    }

    private bool TryTakeMessage(RespCursor reply, out LaneMessage message)
    {
        message = default;
        if (reply.IsError && _questions == 0)
            Refuse(ref reply);
        if (IsAnswer(reply))
            _questions--;
        if (reply.Type is not (RespType.Push or RespType.Array) || reply.Number != 3)
            return false;
        reply.MoveNext();
        if (!reply.Content.SequenceEqual("message"u8))
            return false;
        reply.MoveNext();
        var channel = IndexOf(reply.Content);
        if (channel < 0)
            return false;
        reply.MoveNext();
        message = new LaneMessage(channel, reply.Content, _receivedTimestamp);
        return true;
    }

    // To PING comes PONG, of RESP2 as an array of two; who may not ask is answered with an error.
    private bool IsAnswer(RespCursor reply) => _questions > 0
        && (reply.IsError || reply.Type == RespType.SimpleString
            || (reply.Type == RespType.Array && reply.Number == 2));

    private int IndexOf(ReadOnlySpan<byte> name)
    {
        if (_channels[_lastChannel].AsSpan().SequenceEqual(name))
            return _lastChannel;
        for (var i = 0; i < _channels.Length; i++)
        {
            if (_channels[i].AsSpan().SequenceEqual(name))
                return _lastChannel = i;
        }

        return -1;
    }

    private static void Refuse(ref RespCursor reply) => throw new RedisServerException(RespValue.From(ref reply).Text);
}
