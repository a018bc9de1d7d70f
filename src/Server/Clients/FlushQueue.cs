namespace RedisLatency.Server.Clients;

/// <summary>
/// The clients that have something to be sent in this turn, in the order in which it arose: the subscribers of a
/// message before the publisher's reply.
/// </summary>
internal sealed class FlushQueue
{
    private readonly List<ClientConnection> _clients = new(64);

    public int Count => _clients.Count;

    public ClientConnection this[int index] => _clients[index];

    public void Add(ClientConnection client)
    {
        if (client.IsFlushing)
            return;
        client.IsFlushing = true;
        _clients.Add(client);
    }

    public void Clear() => _clients.Clear();
}
