using System.Runtime.InteropServices;

namespace RedisLatency.Redis.Transports;

/// <summary>
/// The few system calls of the raw lane. Blittable, and without SetLastError (which costs 3 to 7 % per call): the
/// error is read by <see cref="Marshal.GetLastSystemError"/> as the very next call.
/// </summary>
internal static unsafe class LinuxSocketCalls
{
    public const int MessageDontWait = 0x40;
    public const int MessageNoSignal = 0x4000;

    public const short PollIn = 1;
    public const short PollOut = 4;

    public const int Interrupted = 4;
    public const int Again = 11;

    private const int GetFlags = 3;
    private const int SetFlags = 4;
    private const int NonBlocking = 0x800;

    /// <summary>
    /// Makes the descriptor block in the kernel. A .NET socket that was ever non-blocking stays so underneath and
    /// only pretends to block, by handing the wait to the runtime's own event loop.
    /// </summary>
    public static void MakeBlocking(int descriptor)
    {
        var flags = Control(descriptor, GetFlags, 0);
        if (flags < 0 || Control(descriptor, SetFlags, flags & ~NonBlocking) < 0)
        {
            var error = Marshal.GetLastSystemError();
            throw new InvalidOperationException($"fcntl: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }

    [DllImport("libc", EntryPoint = "send")]
    public static extern nint Send(int descriptor, byte* buffer, nuint length, int flags);

    [DllImport("libc", EntryPoint = "recv")]
    public static extern nint Receive(int descriptor, byte* buffer, nuint length, int flags);

    [DllImport("libc", EntryPoint = "ppoll")]
    public static extern int Poll(PollDescriptor* descriptors, nuint count, TimeSpec* timeout, void* signals);

    [DllImport("libc", EntryPoint = "fcntl")]
    private static extern int Control(int descriptor, int command, int argument);

    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
