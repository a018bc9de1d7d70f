using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Metrics.Tests.Sequences;

/// <summary>What the tracker counts, said as plainly as can be.</summary>
internal sealed class NaiveSequenceTracker
{
    private readonly HashSet<long> _received = [];
    private readonly HashSet<long> _late = [];
    private long _duplicated;
    private long _reordered;

    public void Observe(long sequence, bool afterDeadline)
    {
        if (_received.Contains(sequence))
        {
            _duplicated++;
            return;
        }

        if (_received.Any(other => other > sequence))
            _reordered++;
        if (afterDeadline)
            _late.Add(sequence);
        _received.Add(sequence);
    }

    public SequenceCounts Count(long sent)
    {
        var received = _received.Count(sequence => sequence < sent);
        var late = _late.Count(sequence => sequence < sent);
        return new SequenceCounts(
            sent, received - late, late, sent - received, _duplicated, _reordered, 0, _received.Count - received);
    }
}
