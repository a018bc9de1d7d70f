using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Reads and writes a connected socket without ever waiting: by recv and send on Linux, by <see cref="Socket"/>
/// elsewhere and where the portable calls are forced. Nothing is allocated or thrown per call.
/// </summary>
public sealed unsafe class NonBlockingSocket : IDisposable
{
    /// <summary>What a call returns where nothing can be read or written now.</summary>
    public const int WouldBlock = -1;

    /// <summary>What a call returns where the connection is broken; see <see cref="LastError"/>.</summary>
    public const int Broken = -2;

    private readonly int _descriptor;

    /// <summary>Takes the socket over, makes it non-blocking and, on TCP, sends small writes at once.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="isPortable">Whether to call <see cref="System.Net.Sockets.Socket"/> even on Linux.</param>
    public NonBlockingSocket(Socket socket, bool? isPortable = null)
    {
        Socket = socket;
        socket.Blocking = false;
        if (socket.ProtocolType == ProtocolType.Tcp)
            socket.NoDelay = true;
        _descriptor = isPortable ?? ReadinessPoller.IsPortable ? -1 : (int)socket.Handle;
    }

    /// <summary>The socket itself, to register it with a poller.</summary>
    public Socket Socket { get; }

    /// <summary>Why the last call returned <see cref="Broken"/>: errno on Linux, else the socket error.</summary>
    public int LastError { get; private set; }

    /// <summary>Reads what is there.</summary>
    /// <returns>
    /// How many bytes; zero at the end of the stream, <see cref="WouldBlock"/> or <see cref="Broken"/>.
    /// </returns>
    public int Receive(Span<byte> buffer)
    {
        if (_descriptor < 0)
            return Outcome(Socket.Receive(buffer, SocketFlags.None, out var failure), failure);
        fixed (byte* start = buffer)
        {
            nint count;
            do
                count = LinuxCalls.recv(_descriptor, start, (nuint)buffer.Length, LinuxCalls.DoNotWait);
            while (count < 0 && WasInterrupted());
            return count >= 0 ? (int)count : Failure();
        }
    }

    /// <summary>Writes as much as the kernel takes now.</summary>
    /// <returns>How many bytes, <see cref="WouldBlock"/> or <see cref="Broken"/>.</returns>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (_descriptor < 0)
            return Outcome(Socket.Send(bytes, SocketFlags.None, out var failure), failure);
        fixed (byte* start = bytes)
        {
            const int flags = LinuxCalls.DoNotWait | LinuxCalls.NoSignal;
            nint count;
            do
                count = LinuxCalls.send(_descriptor, start, (nuint)bytes.Length, flags);
            while (count < 0 && WasInterrupted());
            return count >= 0 ? (int)count : Failure();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Socket.Dispose();

    private bool WasInterrupted()
    {
        LastError = Marshal.GetLastSystemError();
        return LastError == LinuxCalls.Interrupted;
    }

    private int Failure() => LastError == LinuxCalls.TryAgain ? WouldBlock : Broken;

    private int Outcome(int count, SocketError failure)
    {
        if (failure == SocketError.Success)
            return count;
        LastError = (int)failure;
        return failure is SocketError.WouldBlock or SocketError.IOPending ? WouldBlock : Broken;
    }
}
