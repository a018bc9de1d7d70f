using System.Diagnostics;
using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server.Clients;

namespace RedisLatency.Server;

/// <content>Clients: accepted, read, written, closed.</content>
public sealed partial class InProcessServer
{
    private readonly List<ClientConnection> _held = [];
    private readonly List<ClientConnection> _closing = [];

    internal void Listen()
    {
        if (_listener.Socket is not null)
            return;
        _listener.Open();
        _state.Port = _listener.Port;
        _poller.Add(_listener.Socket!, ListenerToken, Readiness.Readable);
    }

    internal void StopListening()
    {
        if (_listener.Socket is null)
            return;
        _poller.Remove(_listener.Socket);
        _listener.Close();
    }

    private void Handle(ReadyEvent ready)
    {
        if (ready.Token == ListenerToken)
        {
            while (_listener.Accept() is { } socket)
                Admit(socket);
            return;
        }

        if (_state.Clients[ready.Token] is not { } client || client.ClosesNow)
            return;
        if ((ready.Readiness & Readiness.Writable) != 0)
            _state.Flushes.Add(client);
        if ((ready.Readiness & Readiness.Readable) != 0)
            Read(client);
    }

    private void Admit(Socket socket)
    {
        if (!_freeTokens.TryPop(out var token))
        {
            token = _state.Clients.Count;
            _state.Clients.Add(null);
        }

        var client = new ClientConnection(new NonBlockingSocket(socket), token, _nextClientId++);
        _state.Clients[token] = client;
        _state.ClientCount++;
        _state.Statistics.ConnectionsAccepted++;
        _poller.Add(socket, token, Readiness.Readable);
    }

    private void Read(ClientConnection client)
    {
        var count = client.Socket.Receive(client.Requests.GetSpace());
        if (count == NonBlockingSocket.WouldBlock)
            return;
        if (count <= 0)
        {
            Close(client);
            return;
        }

        // After QUIT or a protocol error the rest is read and forgotten, until the client closes or all is sent.
        if (client.ClosesAfterReply)
            return;
        _state.Statistics.BytesReceived += count;
        client.Requests.Advance(count);
        while (!client.ClosesAfterReply && !client.ClosesNow && client.Requests.TryRead())
            _dispatcher.Execute(client);
        if (client.Requests.ProtocolError is { } error && !client.ClosesAfterReply)
        {
            client.Output.Writer.WriteError($"ERR {error}");
            client.ClosesAfterReply = true;
        }

        _state.Flushes.Add(client);
    }

    private void Flush()
    {
        var flushes = _state.Flushes;
        for (var index = 0; index < flushes.Count; index++)
            Flush(flushes[index]);
        flushes.Clear();
        foreach (var client in _closing)
            Release(client);
        _closing.Clear();
    }

    private void Flush(ClientConnection client)
    {
        client.IsFlushing = false;
        if (client.ClosesNow)
        {
            Close(client);
            return;
        }

        if (client.HeldUntil != 0)
        {
            Hold(client);
            return;
        }

        if (!client.Output.TrySend(client.Socket) || (client.ClosesAfterReply && client.Output.Pending == 0))
        {
            Close(client);
            return;
        }

        AwaitWritable(client, client.Output.Pending > 0);
    }

    private void AwaitWritable(ClientConnection client, bool isNeeded)
    {
        if (client.AwaitsWritable == isNeeded)
            return;
        client.AwaitsWritable = isNeeded;
        var interest = isNeeded ? Readiness.Readable | Readiness.Writable : Readiness.Readable;
        _poller.Change(client.Socket.Socket, client.Token, interest);
    }

    private void Hold(ClientConnection client)
    {
        AwaitWritable(client, isNeeded: false);
        if (!_held.Contains(client))
            _held.Add(client);
    }

    private void ReleaseHeld()
    {
        if (_held.Count == 0)
            return;
        var now = Stopwatch.GetTimestamp();
        for (var index = _held.Count - 1; index >= 0; index--)
        {
            var client = _held[index];
            if (client.HeldUntil > now)
                continue;
            client.HeldUntil = 0;
            _held.RemoveAt(index);
            _state.Flushes.Add(client);
        }
    }

    /// <summary>The token is free again only after the turn, whose events may still name it.</summary>
    private void Close(ClientConnection client)
    {
        if (_closing.Contains(client))
            return;
        client.ClosesNow = true;
        _closing.Add(client);
    }

    private void Release(ClientConnection client)
    {
        _state.Messages.Forget(client);
        Faults.Forget(client);
        _held.Remove(client);
        _poller.Remove(client.Socket.Socket);
        client.Socket.Dispose();
        _state.Clients[client.Token] = null;
        _freeTokens.Push(client.Token);
        _state.ClientCount--;
    }

    internal void CloseAll()
    {
        foreach (var client in _state.Clients)
        {
            if (client is not null)
                Close(client);
        }

        Flush();
    }
}
