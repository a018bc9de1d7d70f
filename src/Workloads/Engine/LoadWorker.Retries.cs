namespace RedisLatency.Workloads.Engine;

/// <content>Operations that wait to be sent again after an error. They count as in flight meanwhile.</content>
internal sealed partial class LoadWorker
{
    private const long FirstPauseNs = 1_000_000;
    private const long LongestPauseNs = 250_000_000;

    private readonly PriorityQueue<InFlightOperation, long> _waiting = new();
    private uint _nextForRetry;

    private void WaitToSendAgain(InFlightOperation operation)
    {
        var due = _now + Math.Min(FirstPauseNs << Math.Min(operation.Retries, 20), LongestPauseNs);
        operation.Retries++;
        operation.Redirections = 0;
        _counts[operation.Series].Retried++;
        _waiting.Enqueue(operation, due);
        _nextTick = Math.Min(_nextTick, due);
    }

    private void SendDueAgain()
    {
        while (_waiting.TryPeek(out var operation, out var due))
        {
            if (due > _now)
            {
                _nextTick = Math.Min(_nextTick, due);
                return;
            }

            _waiting.Dequeue();
            if ((_source is null ? AnyWithRoom() : Route(operation)) is { } connection)
            {
                if (_source is null)
                    WriteAgain(connection, operation);
                else
                    WriteTo(connection, operation);
                Flush(connection);
            }
            else
            {
                // Those behind it may be for another node.
                Await(operation);
            }
        }
    }

    private void WriteAgain(LoadConnection connection, in InFlightOperation operation)
    {
        var mixed = _operations[operation.Operation];
        ref var slot = ref connection.Push();
        slot = operation;
        slot.HasError = false;
        slot.Stage = 0;
        var command = slot.IsUnprepared ? mixed.Command.Unprepared! : mixed.Command;
        slot.RepliesLeft = command.Replies;
        command.Write(connection.Requests, _inputs, mixed.KeyStream, slot.Key);
    }

    private LoadConnection? AnyWithRoom()
    {
        for (var tried = 0; tried < _connections.Length; tried++)
        {
            var connection = _connections[_nextForRetry++ % (uint)_connections.Length];
            if (connection.HasRoom)
                return connection;
        }

        return null;
    }

    /// <summary>Nothing is sent any more: the last error of what waits is what counts.</summary>
    private void GiveUpWaiting()
    {
        while (_waiting.TryDequeue(out var operation, out _))
        {
            // One that was sent has had an error, or it would not wait.
            if (!operation.HasError)
                Counts.Errors[operation.Series].Count(NoNode);
            EndWithError(operation);
        }
    }
}
