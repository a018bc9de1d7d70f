using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A single key that is on its way.</summary>
internal sealed class OneKey : IKeyRegister
{
    private bool _isAdmitted;
    private int _asked;

    /// <summary>Whether it is not due yet.</summary>
    public bool IsHeldBack { get; set; }

    /// <summary>How often it was asked for.</summary>
    public int Asked => Volatile.Read(ref _asked);

    /// <summary>When it was found; zero as long as it was not.</summary>
    public long FoundNs { get; private set; }

    public bool HasEnded => _isAdmitted;

    public bool TryAdmit(out PendingKey key)
    {
        key = new PendingKey(0, MonotonicClock.NowNs(), 0);
        Interlocked.Increment(ref _asked);
        if (IsHeldBack)
            return false;
        (var isNew, _isAdmitted) = (!_isAdmitted, true);
        return isNew;
    }

    public bool IsWithdrawn(long sequence) => false;

    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs) => FoundNs = foundNs;

    public void Overwritten(in PendingKey key, long foundNs) => throw new InvalidOperationException("overwritten");

    public void Missing(in PendingKey key, long askedNs) => throw new InvalidOperationException("missing");
}
