namespace RedisLatency.Server.Links;

/// <summary>What is due, the earliest first, and of one moment in the order in which it was added.</summary>
internal sealed class DueQueue
{
    private readonly PriorityQueue<IDueAction, (long DueNs, long Order)> _queue = new(1024);
    private long _order;

    /// <summary>When the next thing is due; <see cref="long.MaxValue"/> for never.</summary>
    public long NextNs => _queue.TryPeek(out _, out var priority) ? priority.DueNs : long.MaxValue;

    public void Add(IDueAction action, long dueNs) => _queue.Enqueue(action, (dueNs, _order++));

    public void ActUntil(long nowNs)
    {
        while (_queue.TryPeek(out _, out var priority) && priority.DueNs <= nowNs)
            _queue.Dequeue().Act();
    }

    public void Abandon()
    {
        while (_queue.TryDequeue(out var action, out _))
            action.Abandon();
    }
}
