using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

/// <summary>A lane to a responder in this process, whose answers a test may spoil.</summary>
internal sealed class ScriptedLane(Func<byte[], IEnumerable<byte[]>> spoil) : IProbeLane
{
    private readonly ProbeAnswers _desk = new(SampleProbes.Answering());
    private readonly Queue<byte[]> _answers = new();

    public string Name => "scripted";

    public string? Problem => null;

    public bool IsLost => false;

    public static ProbeRoute Route(Func<byte[], IEnumerable<byte[]>> spoil) =>
        ProbeRoute.Over("scripted", () => new ScriptedLane(spoil));

    public void Open()
    {
    }

    public bool TrySend(ReadOnlySpan<byte> datagram)
    {
        var answer = datagram.ToArray();
        _desk.TryAnswer(answer, MonotonicClock.NowNs()).ShouldBeTrue();
        foreach (var spoilt in spoil(answer))
            _answers.Enqueue(spoilt);
        return true;
    }

    public int Receive(long untilNs, Span<byte> buffer, out long receivedNs)
    {
        receivedNs = MonotonicClock.NowNs();
        if (_answers.TryDequeue(out var answer))
        {
            var length = Math.Min(answer.Length, buffer.Length);
            answer.AsSpan(0, length).CopyTo(buffer);
            return length;
        }

        Pacer.WaitUntil(untilNs);
        return -1;
    }

    public void Dispose() => _desk.Dispose();
}
