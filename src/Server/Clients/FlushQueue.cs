namespace RedisLatency.Server.Clients;

/// <summary>Clients with something to send in this turn: a message's subscribers before its publisher.</summary>
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
