using System.Buffers;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Client;

namespace RedisLatency.Workloads.Engine;

/// <summary>Operations that wait to be sent again, after an error or for a server; they count as in flight.</summary>
internal sealed class RetryQueue(WorkerTime time, WorkerOperations operations)
{
    private readonly PriorityQueue<WaitingOperation, long> _waiting = new();

    public int Count => _waiting.Count;

    private long Soon => time.Now + RequestRetry.PauseAfter(0).InNanoseconds;

    private static ReadOnlySpan<byte> NoNode => "(unreachable) no connection to the node that serves the key"u8;

    public void Retry(InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        var due = time.Now + RequestRetry.PauseAfter(operation.Retries).InNanoseconds;
        operation.Retries++;
        operations.CountsOf(operation).Retried++;
        Enqueue(WaitingOperation.Of(operation, request), due);
    }

    /// <summary>Waits for a connection, or for a map that names another node; with its request if it has one.</summary>
    public void Await(InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        // Its wait is part of its latency: who sent it did so now, and only this tool knows that nobody is there.
        if (operation.Sent == 0)
            operations.Begun(ref operation, time.Now);
        Enqueue(WaitingOperation.Of(operation, request), Soon);
    }

    public void Await(in WaitingOperation waiting) => Enqueue(waiting, Soon);

    /// <summary>What is taken is to be released, or to wait again.</summary>
    public bool TryTakeDue(out WaitingOperation waiting)
    {
        if (!_waiting.TryPeek(out waiting, out var due))
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
        while (_waiting.TryDequeue(out var waiting, out _))
        {
            waiting.Release();
            var operation = waiting.Operation;
            // One that was sent has had an error, or it would not wait.
            if (!operation.HasError)
                operations.ErrorsOf(operation).Count(NoNode);
            operations.EndWithError(operation);
        }
    }

    private void Enqueue(in WaitingOperation waiting, long due)
    {
        _waiting.Enqueue(waiting, due);
        time.TickBy(due);
    }
}

/// <summary>An operation that waits, and its request if it was drawn, in an array of the shared pool.</summary>
internal readonly record struct WaitingOperation(InFlightOperation Operation, byte[]? Bytes)
{
    public ReadOnlySpan<byte> Request => Bytes.AsSpan(0, Bytes is null ? 0 : Operation.RequestLength);

    public static WaitingOperation Of(InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        if (request.IsEmpty)
            return new(operation, null);
        operation.RequestLength = request.Length;
        var bytes = ArrayPool<byte>.Shared.Rent(request.Length);
        request.CopyTo(bytes);
        return new(operation, bytes);
    }

    public void Release()
    {
        if (Bytes is not null)
            ArrayPool<byte>.Shared.Return(Bytes);
    }
}
