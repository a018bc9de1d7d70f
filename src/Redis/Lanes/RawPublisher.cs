using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Lanes;

/// <summary>The publishing half of the raw lane: one request, one send; replies are read when there is time.</summary>
internal sealed class RawPublisher : IDisposable
{
    // The length of a bulk string and two line ends.
    private const int LengthAndLineEnds = 16;

    private readonly byte[][] _prefixes;
    private readonly byte[] _request;

    // Replies may be read in the middle of a send, where nothing can be thrown: each error waits for its own drain.
    private readonly Queue<RedisException> _refusals = new();

    private long _outstanding;
    private bool _isAnswerNext;
    private RedisProtocolException? _broken;

    private RawPublisher(RedisConnection connection, LaneOptions lane)
    {
        Connection = connection;
        _prefixes = [.. lane.PublishChannels.Select(Prefix)];
        _request = GC.AllocateUninitializedArray<byte>(
            _prefixes.Max(prefix => prefix.Length) + lane.MaxPayload + LengthAndLineEnds, pinned: true);
        connection.Transport.WhileSendBlocks = MakeRoomForReplies;
    }

    public RedisConnection Connection { get; }

    public long LastReceiverCount { get; private set; } = -1;

    public long? UnansweredSince { get; private set; }

    public static RawPublisher Open(RedisEndpoint endpoint, RedisConnectionOptions options, LaneOptions lane) =>
        new(RedisConnection.Open(endpoint, options), lane);

    public void Publish(int channel, ReadOnlySpan<byte> payload)
    {
        var prefix = _prefixes[channel];
        var request = _request.AsSpan();
        if (payload.Length > request.Length - prefix.Length - LengthAndLineEnds)
            ThrowTooLarge(payload.Length);
        prefix.CopyTo(request);
        var position = prefix.Length;
        Utf8Formatter.TryFormat(payload.Length, request[position..], out var digits);
        position += digits;
        position += WriteLineEnd(request, position);
        payload.CopyTo(request[position..]);
        position += payload.Length;
        position += WriteLineEnd(request, position);
        Connection.Transport.Send(request[..position]);
        _outstanding++;
    }

    // Replies that are still to come are question enough.
    public void Ask()
    {
        if (_outstanding == 0)
        {
            Connection.Transport.Send("*1\r\n$4\r\nPING\r\n"u8);
            _outstanding++;
            _isAnswerNext = true;
        }

        UnansweredSince ??= Stopwatch.GetTimestamp();
    }

    public void DrainReplies()
    {
        TakeReplies();
        while (_outstanding > 0 && ReceiveReplies())
            TakeReplies();
        if (_refusals.Count > 0)
            throw _refusals.Dequeue();
        if (_broken is not null)
            throw _broken;
    }

    public void Dispose() => Connection.Dispose();

    private static byte[] Prefix(string channel) => Encoding.UTF8.GetBytes(string.Create(
        CultureInfo.InvariantCulture,
        $"*3\r\n$7\r\nPUBLISH\r\n${Encoding.UTF8.GetByteCount(channel)}\r\n{channel}\r\n$"));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteLineEnd(Span<byte> request, int position)
    {
        request[position] = (byte)'\r';
        request[position + 1] = (byte)'\n';
        return 2;
    }

    private static void ThrowTooLarge(int length) => throw new ArgumentException(
        $"{length} bytes are more than the largest payload that the lane was opened for.", nameof(length));

    private void MakeRoomForReplies()
    {
        ReceiveReplies();
        TakeReplies();
    }

    private bool ReceiveReplies()
    {
        var reader = Connection.Reader;
        var count = Connection.Transport.Receive(reader.GetSpace(), Transport.NoWait);
        reader.Commit(count);
        if (count > 0)
            UnansweredSince = null;
        return count > 0;
    }

    private void TakeReplies()
    {
        while (Connection.Reader.TryRead(out var reply))
        {
            if (_broken is not null || reply.Type == RespType.Push)
                continue;
            if (--_outstanding < 0)
            {
                NoteUnasked(ref reply);
                continue;
            }

            if (_isAnswerNext)
                _isAnswerNext = false;
            else if (reply.Type == RespType.Integer)
                LastReceiverCount = reply.Number;
            else
                NoteRefusal(ref reply);
        }
    }

    // From then on no reply belongs to its request: none is read as one.
    private void NoteUnasked(ref RespCursor reply) => _broken = new RedisProtocolException(
        $"{Connection.Endpoint}: nothing was asked, but the server says {RespValue.From(ref reply)}");

    private void NoteRefusal(ref RespCursor reply)
    {
        var value = RespValue.From(ref reply);
        _refusals.Enqueue(value.IsError
            ? new RedisServerException(
                value.Text, $"{Connection.Endpoint}: PUBLISH was refused (the server says: {value.Text})")
            : new RedisProtocolException($"{Connection.Endpoint}: PUBLISH was answered with {value}"));
    }
}
