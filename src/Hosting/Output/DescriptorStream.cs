using System.Runtime.InteropServices;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Output;

/// <summary>Writes to an inherited file descriptor by write(2), and says when nobody reads any more.</summary>
/// <remarks>
/// .NET's console stream swallows EPIPE, and a <see cref="FileStream"/> over a redirected descriptor writes at offsets
/// of its own, over what others append to the same file (<c>&gt; out 2&gt;&amp;1</c>). The runtime ignores SIGPIPE, so
/// that write(2) returns the error.
/// </remarks>
internal sealed partial class DescriptorStream(int descriptor) : WriteOnlyStream
{
    private const int Interrupted = 4;
    private const int WouldBlock = 11;
    private const int WouldBlockOnApple = 35;
    private const short PollOut = 4;

    private readonly Stream? _console = OperatingSystem.IsWindows() ? OpenConsole(descriptor) : null;

    /// <exception cref="IOException">The reader is gone, the disk is full, or the descriptor is not open.</exception>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (_console is not null)
        {
            _console.Write(buffer);
            return;
        }

        while (!buffer.IsEmpty)
        {
            var written = WriteOnce(descriptor, buffer, (nuint)buffer.Length);
            if (written >= 0)
                buffer = buffer[(int)written..];
            else
                RecoverFrom(Marshal.GetLastPInvokeError());
        }
    }

    public override void Flush() => _console?.Flush();

    private static Stream OpenConsole(int descriptor) =>
        descriptor == 1 ? Console.OpenStandardOutput() : Console.OpenStandardError();

    private void RecoverFrom(int error)
    {
        switch (error)
        {
            case Interrupted:
                return;

            // Whoever shares the terminal or pipe may have made it non-blocking.
            case WouldBlock or WouldBlockOnApple:
                var ready = new PollDescriptor { Descriptor = descriptor, Events = PollOut };
                Poll(ref ready, 1, -1);
                return;

            default:
                throw new IOException(Marshal.GetPInvokeErrorMessage(error), error);
        }
    }

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint WriteOnce(int descriptor, ReadOnlySpan<byte> buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(ref PollDescriptor descriptors, nuint count, int timeout);

    [StructLayout(LayoutKind.Sequential)]
    private struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short ReturnedEvents;
    }
}
