using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static RedisLatency.Redis.EventLoops.Rings.UringInterop;

namespace RedisLatency.Redis.EventLoops.Rings;

/// <summary>
/// The two queues that a thread shares with the kernel: what it wants done, and what has been done. It belongs to the
/// thread that made it (IORING_SETUP_SINGLE_ISSUER), which also runs the kernel's part of the work when it enters
/// (IORING_SETUP_DEFER_TASKRUN; Linux 6.1).
/// </summary>
internal sealed unsafe class UringQueues : IDisposable
{
    private const uint Flags = SetupSingleIssuer | SetupDeferTaskRun | SetupCompletionSize;
    private const uint Features = FeatureSingleMap | FeatureExtendedArgument;

    private readonly int _ring;
    private readonly int _registered = -1;
    private readonly byte* _queues;
    private readonly nuint _queuesLength;
    private readonly SubmissionEntry* _entries;
    private readonly nuint _entriesLength;
    private readonly uint* _submissionHead;
    private readonly uint* _submissionTail;
    private readonly uint _submissionMask;
    private readonly uint* _completionHead;
    private readonly uint* _completionTail;
    private readonly uint _completionMask;
    private readonly CompletionEntry* _completions;
    private uint _tail;
    private uint _unsubmitted;
    private bool _isDisposed;

    /// <exception cref="Win32Exception">The kernel does not know this, or the sandbox forbids it.</exception>
    public UringQueues(uint entries)
    {
        var setup = new UringSetup { Flags = Flags, CompletionEntries = entries * 4 };
        _ring = (int)Check(syscall(SetupCall, (nint)entries, (nint)(&setup), 0, 0, 0, 0));
        if ((setup.Features & Features) != Features)
        {
            _ = close(_ring);
            throw new Win32Exception(38);
        }

        _queuesLength = Math.Max(
            setup.SubmissionArray + (setup.SubmissionEntries * sizeof(uint)),
            setup.Completions + (setup.CompletionEntries * (uint)sizeof(CompletionEntry)));
        _entriesLength = setup.SubmissionEntries * (nuint)sizeof(SubmissionEntry);
        try
        {
            _queues = Map(_queuesLength, SubmissionMap);
            _entries = (SubmissionEntry*)Map(_entriesLength, EntriesMap);
        }
        catch
        {
            _ = close(_ring);
            throw;
        }

        _submissionHead = (uint*)(_queues + setup.SubmissionHead);
        _submissionTail = (uint*)(_queues + setup.SubmissionTail);
        _submissionMask = *(uint*)(_queues + setup.SubmissionMask);
        _completionHead = (uint*)(_queues + setup.CompletionHead);
        _completionTail = (uint*)(_queues + setup.CompletionTail);
        _completionMask = *(uint*)(_queues + setup.CompletionMask);
        _completions = (CompletionEntry*)(_queues + setup.Completions);
        var array = (uint*)(_queues + setup.SubmissionArray);
        for (var index = 0u; index <= _submissionMask; index++)
            array[index] = index;
        _registered = RegisterItself();
    }

    ~UringQueues() => Close();

    /// <summary>
    /// Counts the calls that handed entries over: an entry made before the present number is no longer ours.
    /// </summary>
    public int Submissions { get; private set; }

    /// <summary>Registers something with the ring; negative with errno where the kernel refuses.</summary>
    public int Register(uint what, void* argument, uint count) =>
        (int)syscall(RegisterCall, _ring, (nint)what, (nint)argument, (nint)count, 0, 0);

    /// <summary>The next entry to fill in, all zero; the queue is handed over first where it is full.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SubmissionEntry* Next()
    {
        while (_tail - Volatile.Read(ref *_submissionHead) > _submissionMask)
            Enter(0, 0);
        var entry = _entries + (_tail++ & _submissionMask);
        *entry = default;
        _unsubmitted++;
        return entry;
    }

    /// <summary>Hands over what was filled in, and waits.</summary>
    /// <param name="least">How many completions to wait for.</param>
    /// <param name="timeoutNs">How long at most; negative waits without end.</param>
    public void Enter(uint least, long timeoutNs)
    {
        Volatile.Write(ref *_submissionTail, _tail);
        var timeout = stackalloc long[2] { timeoutNs / 1_000_000_000, timeoutNs % 1_000_000_000 };
        var argument = stackalloc ulong[3] { 0, 0, (ulong)timeout };
        var hasLimit = least > 0 && timeoutNs >= 0;
        var flags = EnterGetEvents | (hasLimit ? EnterExtendedArgument : 0)
            | (_registered >= 0 ? EnterRegisteredRing : 0);
        var count = syscall(
            EnterCall, _registered >= 0 ? _registered : _ring, (nint)_unsubmitted, (nint)least, (nint)flags,
            hasLimit ? (nint)argument : 0, hasLimit ? 24 : 0);
        var error = count < 0 ? Marshal.GetLastSystemError() : 0;
        Submissions++;
        // What was taken is told by the head, whatever ended the wait.
        _unsubmitted = _tail - Volatile.Read(ref *_submissionHead);
        if (error is not (0 or Interrupted or TimedOut or Busy or TryAgain))
            throw new Win32Exception(error);
    }

    /// <summary>Takes the oldest completion.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTake(out CompletionEntry completion)
    {
        var head = *_completionHead;
        if (head == Volatile.Read(ref *_completionTail))
        {
            completion = default;
            return false;
        }

        completion = _completions[head & _completionMask];
        Volatile.Write(ref *_completionHead, head + 1);
        return true;
    }

    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    private static nint Check(nint result) =>
        result >= 0 ? result : throw new Win32Exception(Marshal.GetLastSystemError());

    private byte* Map(nuint length, nint offset)
    {
        var address = mmap(null, length, ReadWrite, SharedPopulated, _ring, offset);
        return address == -1 ? throw new Win32Exception(Marshal.GetLastSystemError()) : (byte*)address;
    }

    // Saves the kernel from looking the descriptor up with every call.
    private int RegisterItself()
    {
        var update = stackalloc uint[4] { uint.MaxValue, 0, (uint)_ring, 0 };
        return Register(RegisterRingDescriptors, update, 1) == 1 ? (int)update[0] : -1;
    }

    private void Close()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        if (_queues is not null)
            _ = munmap(_queues, _queuesLength);
        if (_entries is not null)
            _ = munmap(_entries, _entriesLength);
        if (_ring > 0)
            _ = close(_ring);
    }
}
