using System.Numerics;

namespace RedisLatency.Peers.Probing;

/// <summary>The questions that have no answer yet, so that nothing passes for one that nobody asked for.</summary>
internal sealed class PendingProbes(long limitNs, double mostPerSecond)
{
    private readonly long[] _sentNs = new long[BitOperations.RoundUpToPowerOf2(
        (uint)Math.Clamp(mostPerSecond * limitNs / 1e9 * 2, 256, 1 << 20))];

    private long _next = 1;
    private long _oldest = 1;
    private int _open;

    public long Next => _next;

    public bool HasOpen => _open > 0;

    public void Ask(long sentNs)
    {
        SlotOf(_next++) = sentNs;
        _open++;
    }

    /// <summary>Whether this is the first answer to an open question; it is not open any more then.</summary>
    public bool TryClose(long sequence, long sentNs)
    {
        if (sequence < _oldest || sequence >= _next || SlotOf(sequence) != sentNs)
            return false;
        SlotOf(sequence) = 0;
        _open--;
        return true;
    }

    /// <summary>Gives up what was asked long ago, or what there is no room to remember; returns how many.</summary>
    public int GiveUp(long nowNs)
    {
        var unanswered = 0;
        for (; _oldest < _next; _oldest++)
        {
            var sentNs = SlotOf(_oldest);
            if (sentNs != 0 && nowNs - sentNs < limitNs && _next - _oldest < _sentNs.Length)
                break;
            unanswered += sentNs != 0 ? 1 : 0;
        }

        _open -= unanswered;
        return unanswered;
    }

    private ref long SlotOf(long sequence) => ref _sentNs[sequence & (_sentNs.Length - 1)];
}
