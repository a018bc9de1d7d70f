using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace RedisLatency.Hosting.Output;

/// <summary>
/// Single keys of the terminal at standard input, unechoed, while this process is in its foreground. Ctrl-C remains a
/// signal. The terminal is as it was when this is disposed or the process ends, except by SIGKILL.
/// </summary>
/// <remarks>.NET's console writes to the terminal when it reads keys, and forgets its mode at _exit(2).</remarks>
internal sealed partial class Keyboard : IDisposable
{
    private const int Input = 0;
    private const int Interrupt = 2;
    private const int AtOnce = 0;
    private const short PollIn = 1;

    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(50);

    // More than any system's termios. Canonical mode and echo are in the first bytes of its local flags.
    private readonly byte[] _before = new byte[256];
    private readonly byte[] _raw = new byte[256];
    private readonly Action<char> _press;
    private readonly PosixSignalRegistration[] _signals;
    private readonly ManualResetEvent _over = new(initialState: false);
    private readonly Thread _thread;

    [UnsupportedOSPlatform("windows")]
    private Keyboard(Action<char> press)
    {
        _press = press;
        GetAttributes(Input, _before);
        _before.CopyTo(_raw, 0);
        if (OperatingSystem.IsLinux())
            _raw[12] &= 0xff & ~(0x2 | 0x8);
        else
            (_raw[24], _raw[25]) = ((byte)(_raw[24] & ~0x8), (byte)(_raw[25] & ~0x1));
        SetMode(_raw);
        // A shell may have had the terminal meanwhile.
        _signals =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGCONT, _ => SetMode(_raw)),
            PosixSignalRegistration.Create(PosixSignal.SIGQUIT, _ => Restore()),
        ];
        AppDomain.CurrentDomain.ProcessExit += OnEnd;
        AppDomain.CurrentDomain.UnhandledException += OnEnd;
        _thread = new Thread(Listen) { Name = "keys", IsBackground = true };
        _thread.Start();
    }

    /// <summary>Calls back on a thread of its own with each key; null where no terminal is to be read.</summary>
    public static Keyboard? Open(Action<char> press) =>
        (OperatingSystem.IsLinux() || OperatingSystem.IsMacOS()) && !Console.IsInputRedirected && IsInForeground
            ? new Keyboard(press)
            : null;

    /// <summary>
    /// Whether another process has the terminal at which a descriptor writes: this one was started with <c>&amp;</c>.
    /// </summary>
    public static bool IsInBackground(int descriptor) => (OperatingSystem.IsLinux() || OperatingSystem.IsMacOS())
        && GetForegroundGroup(descriptor) is > 0 and var group && group != GetGroup();

    /// <summary>What Ctrl-C does.</summary>
    public static void PressInterrupt() => _ = Kill(Environment.ProcessId, Interrupt);

    /// <summary>Gives the terminal back for good.</summary>
    public void Restore()
    {
        SetMode(_before);
        _over.Set();
    }

    public void Dispose()
    {
        Restore();
        AppDomain.CurrentDomain.ProcessExit -= OnEnd;
        AppDomain.CurrentDomain.UnhandledException -= OnEnd;
        _thread.Join();
        foreach (var signal in _signals)
            signal.Dispose();
        _over.Dispose();
    }

    // In the background, reading or setting would stop the process.
    private static bool IsInForeground => GetForegroundGroup(Input) == GetGroup();

    private void SetMode(byte[] mode)
    {
        if (!_over.WaitOne(0) && IsInForeground)
            _ = SetAttributes(Input, AtOnce, mode);
    }

    private void OnEnd(object? sender, EventArgs end) => Restore();

    private void Listen()
    {
        Span<byte> keys = stackalloc byte[16];
        while (!_over.WaitOne(Patience))
        {
            var ready = new PollDescriptor { Descriptor = Input, Events = PollIn };
            if (!IsInForeground || Poll(ref ready, 1, 0) <= 0)
                continue;
            var count = (int)ReadSome(Input, keys, (nuint)keys.Length);
            if (count == 0)
                return; // The terminal is gone.
            for (var i = 0; i < count; i++)
                _press((char)keys[i]);
        }
    }

    [LibraryImport("libc", EntryPoint = "tcgetattr")]
    private static partial int GetAttributes(int descriptor, Span<byte> attributes);

    [LibraryImport("libc", EntryPoint = "tcsetattr")]
    private static partial int SetAttributes(int descriptor, int when, ReadOnlySpan<byte> attributes);

    [LibraryImport("libc", EntryPoint = "tcgetpgrp")]
    private static partial int GetForegroundGroup(int descriptor);

    [LibraryImport("libc", EntryPoint = "getpgrp")]
    private static partial int GetGroup();

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(ref PollDescriptor descriptors, nuint count, int timeout);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint ReadSome(int descriptor, Span<byte> buffer, nuint count);

    [StructLayout(LayoutKind.Sequential)]
    private struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Happened;
    }
}
