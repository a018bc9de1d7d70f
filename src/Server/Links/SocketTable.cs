using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

internal sealed class SocketTable(ReadinessPoller poller)
{
    private readonly List<IReadyHandler?> _handlers = [];
    private readonly Stack<int> _free = new();
    private readonly List<int> _leaving = [];

    public int Register(IReadyHandler handler)
    {
        if (!_free.TryPop(out var token))
        {
            token = _handlers.Count;
            _handlers.Add(null);
        }

        _handlers[token] = handler;
        return token;
    }

    /// <summary>
    /// Changes what a socket is watched for. One that is watched for nothing leaves the poller: epoll would go on to
    /// report its failure or its end, again and again.
    /// </summary>
    public void Watch(Socket socket, int token, Readiness from, Readiness to)
    {
        if (from == to)
            return;
        if (from == Readiness.None)
            poller.Add(socket, token, to);
        else if (to == Readiness.None)
            poller.Remove(socket);
        else
            poller.Change(socket, token, to);
    }

    /// <summary>The token is given out again only after the turn, whose events may still name it.</summary>
    public void Release(int token)
    {
        _handlers[token] = null;
        _leaving.Add(token);
    }

    public void Dispatch(ReadyEvent ready) => _handlers[ready.Token]?.Ready(ready.Readiness);

    public void EndTurn()
    {
        foreach (var token in _leaving)
            _free.Push(token);
        _leaving.Clear();
    }
}
