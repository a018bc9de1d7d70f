using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace RedisLatency.Redis.EventLoops;

/// <summary>An eventfd(2): set from any thread, also after it was disposed of; watched by one.</summary>
internal sealed partial class EventFile : IDisposable
{
    private readonly SafeFileHandle _file;

    public EventFile()
    {
        var descriptor = Create(0, LinuxCalls.CloseOnExec | LinuxCalls.NonBlocking);
        if (descriptor < 0)
            throw new Win32Exception(Marshal.GetLastSystemError());
        _file = new SafeFileHandle(descriptor, ownsHandle: true);
    }

    public int Descriptor => (int)_file.DangerousGetHandle();

    public void Set()
    {
        try
        {
            // Fails only where the counter is full, and then it is set anyway.
            _ = Write(_file, 1, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
        }
    }

    public void Clear() => _ = Read(_file, out _, sizeof(ulong));

    public void Dispose() => _file.Dispose();

    [DllImport("libc", EntryPoint = "eventfd")]
    private static extern int Create(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(SafeFileHandle file, in ulong value, nint size);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(SafeFileHandle file, out ulong value, nint size);
}
