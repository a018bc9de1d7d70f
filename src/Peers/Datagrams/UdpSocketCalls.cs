using System.Runtime.InteropServices;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// The few system calls of the UDP lane. Blittable and without SetLastError: the error is read by
/// <see cref="Marshal.GetLastSystemError"/> as the very next call.
/// </summary>
internal static unsafe class UdpSocketCalls
{
    public const int DontWait = 0x40;
    public const int NoSignal = 0x4000;

    public const short PollIn = 1;

    public const int Interrupted = 4;
    public const int Again = 11;
    public const int ConnectionRefused = 111;

    [DllImport("libc", EntryPoint = "sendto")]
    public static extern nint SendTo(
        int descriptor, byte* buffer, nuint length, int flags, byte* address, uint addressLength);

    [DllImport("libc", EntryPoint = "recvfrom")]
    public static extern nint ReceiveFrom(
        int descriptor, byte* buffer, nuint length, int flags, byte* address, uint* addressLength);

    [DllImport("libc", EntryPoint = "ppoll")]
    public static extern int Poll(PollDescriptor* descriptors, nuint count, TimeSpec* timeout, void* signals);

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
