using Microsoft.AspNetCore.Connections;

namespace RedisLatency.Hosting.Http;

/// <summary>
/// Limits the connections to the endpoint: where as many are open as may be, the oldest is closed for a new one. Turned
/// away would be who asks, while those who are silent stay. Thread safe.
/// </summary>
internal sealed class CrowdedConnections(int most)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<ConnectionContext> _connected = [];

    public ConnectionDelegate Before(ConnectionDelegate next) => async connection =>
    {
        var place = Enter(connection, out var first);
        first?.Abort();
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            Leave(place);
        }
    };

    private LinkedListNode<ConnectionContext> Enter(ConnectionContext connection, out ConnectionContext? first)
    {
        lock (_gate)
        {
            first = _connected.Count < most ? null : _connected.First!.Value;
            if (first is not null)
                _connected.RemoveFirst();
            return _connected.AddLast(connection);
        }
    }

    private void Leave(LinkedListNode<ConnectionContext> place)
    {
        lock (_gate)
        {
            // Who had to leave is not there any more.
            if (place.List is not null)
                _connected.Remove(place);
        }
    }
}
