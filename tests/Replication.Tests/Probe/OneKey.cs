using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A single key that is on its way.</summary>
internal sealed class OneKey : IKeyRegister
{
    private bool _isAdmitted;

    /// <summary>When it was found; zero as long as it was not.</summary>
    public long FoundNs { get; private set; }

    public bool HasEnded => _isAdmitted;

    public bool TryAdmit(out PendingKey key)
    {
        key = new PendingKey(0, MonotonicClock.NowNs(), 0);
        (var isNew, _isAdmitted) = (!_isAdmitted, true);
        return isNew;
    }

    public bool IsWithdrawn(long sequence) => false;

    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs) => FoundNs = foundNs;

    public void Overwritten(in PendingKey key, long foundNs) => throw new InvalidOperationException("overwritten");

    public void Missing(in PendingKey key, long askedNs) => throw new InvalidOperationException("missing");
}
