using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Connects to the first address of a name that answers: the next address is tried when one fails, or has been
/// silent for a quarter of a second (RFC 8305, "Happy Eyeballs"), both families in turn, all within one time limit.
/// </summary>
internal static class SocketConnector
{
    private static readonly TimeSpan Head = TimeSpan.FromMilliseconds(250);

    public static Socket Connect(RedisEndpoint endpoint, TimeSpan limit, long deadline)
    {
        if (endpoint.SocketPath is not null)
            return ConnectUnix(endpoint);
        var waiting = new Queue<IPAddress>(Interleave(Resolve(endpoint, limit, deadline)));
        var pending = new List<Socket>();
        SocketError? failure = null;
        try
        {
            var nextStart = 0L;
            while (true)
            {
                var now = Stopwatch.GetTimestamp();
                if (now >= deadline)
                    throw ConnectFault.TimedOut(endpoint, limit, "to connect");
                if (waiting.Count > 0 && (pending.Count == 0 || now >= nextStart))
                {
                    failure = Start(new IPEndPoint(waiting.Dequeue(), endpoint.Port), pending) ?? failure;
                    nextStart = Stopwatch.GetTimestamp() + TimestampSpan.FromDuration(Head);
                }

                if (pending.Count == 0 && waiting.Count == 0)
                    throw ConnectFault.From(endpoint, failure ?? SocketError.HostUnreachable);
                if (pending.Count > 0
                    && TakeConnected(pending, waiting.Count > 0 ? Math.Min(nextStart, deadline) : deadline, ref failure)
                        is { } connected)
                    return connected;
            }
        }
        finally
        {
            foreach (var socket in pending)
                socket.Dispose();
        }
    }

    private static SocketError? Start(IPEndPoint address, List<Socket> pending)
    {
        Socket? socket = null;
        try
        {
            // Where a family is switched off, the socket itself cannot be made.
            socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            {
                NoDelay = true,
                Blocking = false,
            };
            socket.Connect(address);
        }
        catch (SocketException problem) when (problem.SocketErrorCode is SocketError.WouldBlock
            or SocketError.InProgress or SocketError.IOPending)
        {
        }
        catch (SocketException problem)
        {
            socket?.Dispose();
            return problem.SocketErrorCode;
        }

        pending.Add(socket!);
        return null;
    }

    private static Socket? TakeConnected(List<Socket> pending, long until, ref SocketError? failure)
    {
        var writable = new List<Socket>(pending);
        var failed = new List<Socket>(pending);
        var nanoseconds = TimestampSpan.ToNanoseconds(Math.Max(0, until - Stopwatch.GetTimestamp()));
        Socket.Select(null, writable, failed, (int)Math.Min(int.MaxValue, (nanoseconds / 1000) + 1));
        foreach (var socket in writable.Union(failed))
        {
            pending.Remove(socket);
            var error = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
            // Connected is what makes the runtime notice the end of a connect that did not block.
            if (error == SocketError.Success && socket.Connected)
                return socket;
            failure = error == SocketError.Success ? SocketError.ConnectionRefused : error;
            socket.Dispose();
        }

        return null;
    }

    private static Socket ConnectUnix(RedisEndpoint endpoint)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(endpoint.SocketPath!));
            return socket;
        }
        catch (SocketException problem)
        {
            socket.Dispose();
            throw ConnectFault.From(endpoint, problem.SocketErrorCode);
        }
        catch (ArgumentOutOfRangeException)
        {
            socket.Dispose();
            throw new RedisConnectException(
                ConnectFailure.Unreachable, $"{endpoint}: the socket's path is longer than the system allows");
        }
    }

    private static IPAddress[] Resolve(RedisEndpoint endpoint, TimeSpan limit, long deadline)
    {
        if (IPAddress.TryParse(endpoint.Host, out var address))
            return [address];
        var remaining = TimestampSpan.ToNanoseconds(deadline - Stopwatch.GetTimestamp());
        using var timeLimit =
            new CancellationTokenSource(TimeSpan.FromMilliseconds(Math.Max(1, remaining / 1_000_000)));
        try
        {
            return Dns.GetHostAddressesAsync(endpoint.Host, timeLimit.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            throw ConnectFault.TimedOut(endpoint, limit, $"to look up the name '{endpoint.Host}'");
        }
        catch (Exception problem) when (problem is SocketException or ArgumentException)
        {
            throw new RedisConnectException(
                ConnectFailure.NameNotFound,
                $"{endpoint}: the name '{endpoint.Host}' has no address; is it spelt right, and known to this machine?",
                problem);
        }
    }

    private static IEnumerable<IPAddress> Interleave(IPAddress[] addresses)
    {
        var ofFirst = addresses.Where(one => one.AddressFamily == addresses[0].AddressFamily).ToArray();
        var ofOther = addresses.Except(ofFirst).ToArray();
        for (var i = 0; i < Math.Max(ofFirst.Length, ofOther.Length); i++)
        {
            if (i < ofFirst.Length)
                yield return ofFirst[i];
            if (i < ofOther.Length)
                yield return ofOther[i];
        }
    }
}
