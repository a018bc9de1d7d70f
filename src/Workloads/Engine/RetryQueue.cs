namespace RedisLatency.Workloads.Engine;

/// <summary>Operations that wait to be sent again, after an error or for a server; they count as in flight.</summary>
internal sealed class RetryQueue(WorkerTime time, WorkerOperations operations)
{
    private const long FirstPauseNs = 1_000_000;
    private const long LongestPauseNs = 250_000_000;

    private readonly PriorityQueue<InFlightOperation, long> _waiting = new();

    public int Count => _waiting.Count;

    private static ReadOnlySpan<byte> NoNode => "(unreachable) no connection to the node that serves the key"u8;

    public void Retry(InFlightOperation operation)
    {
        var due = time.Now + Math.Min(FirstPauseNs << Math.Min(operation.Retries, 20), LongestPauseNs);
        operation.Retries++;
        operation.Redirections = 0;
        operations.CountsOf(operation).Retried++;
        Enqueue(operation, due);
    }

    /// <summary>Waits for a connection, or for a map that names another node.</summary>
    public void Await(InFlightOperation operation)
    {
        // Its wait is part of its latency: who sent it did so now, and only this tool knows that nobody is there.
        if (operation.Sent == 0)
            operations.Begun(ref operation, time.Now);
        Enqueue(operation, time.Now + FirstPauseNs);
    }

    public bool TryTakeDue(out InFlightOperation operation)
    {
        if (!_waiting.TryPeek(out operation, out var due))
            return false;
        if (due > time.Now)
        {
            time.TickBy(due);
            return false;
        }

        _waiting.Dequeue();
        return true;
    }

    /// <summary>Nothing is sent any more: the last error of what waits is what counts.</summary>
    public void GiveUp()
    {
        while (_waiting.TryDequeue(out var operation, out _))
        {
            // One that was sent has had an error, or it would not wait.
            if (!operation.HasError)
                operations.ErrorsOf(operation).Count(NoNode);
            operations.EndWithError(operation);
        }
    }

    private void Enqueue(in InFlightOperation operation, long due)
    {
        _waiting.Enqueue(operation, due);
        time.TickBy(due);
    }
}
