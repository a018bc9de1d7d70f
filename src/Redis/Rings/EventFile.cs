using System.ComponentModel;
using System.Runtime.InteropServices;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Rings;

/// <summary>An eventfd(2): set from any thread, watched by one.</summary>
internal sealed unsafe class EventFile : IDisposable
{
    private int _descriptor;

    /// <exception cref="Win32Exception">The kernel refused, for instance for lack of descriptors.</exception>
    public EventFile()
    {
        _descriptor = EpollInterop.eventfd(0, EpollInterop.CloseOnExec | EpollInterop.NonBlocking);
        if (_descriptor < 0)
            throw new Win32Exception(Marshal.GetLastSystemError());
    }

    ~EventFile() => Close();

    public int Descriptor => _descriptor;

    public void Set()
    {
        var one = 1UL;
        _ = EpollInterop.write(_descriptor, &one, sizeof(ulong));
    }

    public void Clear()
    {
        ulong count;
        _ = EpollInterop.read(_descriptor, &count, sizeof(ulong));
    }

    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    private void Close()
    {
        if (_descriptor >= 0)
            _ = EpollInterop.close(_descriptor);
        _descriptor = -1;
    }
}
