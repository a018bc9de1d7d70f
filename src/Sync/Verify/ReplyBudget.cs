namespace RedisLatency.Sync.Verify;

/// <summary>Room for the values that are under way: who finds none waits for its turn. One thread uses it.</summary>
internal sealed class ReplyBudget(long bytes)
{
    private readonly Queue<(long Bytes, TaskCompletionSource Turn)> _waiting = new();
    private readonly long _all = bytes;
    private long _free = bytes;

    /// <summary>Takes room for so many bytes, or for as many as there can be.</summary>
    public Task Take(long wanted)
    {
        wanted = Math.Min(wanted, _all);
        if (_waiting.Count == 0 && wanted <= _free)
        {
            _free -= wanted;
            return Task.CompletedTask;
        }

        var turn = new TaskCompletionSource();
        _waiting.Enqueue((wanted, turn));
        return turn.Task;
    }

    public void Give(long taken)
    {
        _free += Math.Min(taken, _all);
        while (_waiting.TryPeek(out var next) && next.Bytes <= _free)
        {
            _waiting.Dequeue();
            _free -= next.Bytes;
            next.Turn.SetResult();
        }
    }
}
