using BenchmarkDotNet.Attributes;
using RedisLatency.Messaging.Frames;

namespace RedisLatency.Micro.Frames;

/// <summary>What each message costs beside its system calls: stamped out, read and stamped back, read again.</summary>
[MemoryDiagnoser]
public class FrameStamping
{
    private readonly FrameBuffer _outgoing = new(run: 7, producer: 11, stream: 0, maxPayloadLength: 0);
    private readonly byte[] _sent;
    private readonly byte[] _echo;
    private long _sequence;

    public FrameStamping()
    {
        _outgoing.Stamp(MessageKind.Message, FrameFlags.None, 1, 1_000, 1_100);
        _sent = _outgoing.Bytes.ToArray();
        _echo = _outgoing.Bytes.ToArray();
        FrameEcho.Stamp(_echo, instance: 3, received: 2_000, echoed: 2_100);
    }

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void Stamp() => _outgoing.Stamp(MessageKind.Message, FrameFlags.None, ++_sequence, 1_000, 1_100);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public FrameDefect ReadSent() => FrameReader.Read(_sent, out _);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void StampEcho() => FrameEcho.Stamp(_echo, instance: 3, received: 2_000, echoed: 2_100);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public FrameDefect ReadEcho() => FrameReader.Read(_echo, out _);
}
