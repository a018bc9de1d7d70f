using BenchmarkDotNet.Attributes;
using RedisLatency.Messaging.Frames;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Micro.Resp;

/// <summary>The protocol's part of a message that carries a frame: the request, its reply, and the delivery.</summary>
[MemoryDiagnoser]
public class PublishExchange
{
    private readonly byte[] _channel = "redislatency:micro:ping"u8.ToArray();
    private readonly byte[] _payload = new byte[FrameLayout.HeaderLength];
    private readonly byte[] _reply = ":1\r\n"u8.ToArray();
    private readonly byte[] _delivery;
    private readonly RespWriter _writer = new();
    private readonly RespReader _reader = new();

    public PublishExchange()
    {
        var delivery = new RespWriter();
        delivery.WriteArrayHeader(3);
        delivery.WriteBulkString("message"u8);
        delivery.WriteBulkString(_channel);
        delivery.WriteBulkString(_payload);
        _delivery = delivery.Written.ToArray();
    }

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int WriteRequest()
    {
        _writer.Clear();
        _writer.WriteArrayHeader(3);
        _writer.WriteBulkString("PUBLISH"u8);
        _writer.WriteBulkString(_channel);
        _writer.WriteBulkString(_payload);
        return _writer.Length;
    }

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long ParseReply()
    {
        _reader.Feed(_reply);
        return _reader.TryRead(out var reply) ? reply.Number : throw new InvalidOperationException("No reply.");
    }

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int ParseDelivery()
    {
        _reader.Feed(_delivery);
        if (!_reader.TryRead(out var message))
            throw new InvalidOperationException("No message.");
        while (message.MoveNext() && message.Content.Length != _payload.Length)
        {
        }

        return message.Content.Length;
    }
}
