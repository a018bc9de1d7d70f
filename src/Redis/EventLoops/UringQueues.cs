using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static RedisLatency.Redis.EventLoops.LinuxCalls;
using static RedisLatency.Redis.EventLoops.UringInterop;

namespace RedisLatency.Redis.EventLoops;

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
    private readonly uint* _submissionFlags;
    private readonly uint _submissionMask;
    private readonly uint* _completionHead;
    private readonly uint* _completionTail;
    private readonly uint _completionMask;
    private readonly CompletionEntry* _completions;
    private long _tail;
    private uint _unsubmitted;
    private bool _isDisposed;

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
        _submissionFlags = (uint*)(_queues + setup.SubmissionFlags);
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
    /// Where the kernel stood in the queue after the last call: it takes entries in order, and not always all of them
    /// (it stops behind one that is wrong, and where it lacks memory). What lies there or behind is still ours.
    /// </summary>
    public long Taken { get; private set; }

    public long Position => _tail;

    public bool IsFull => (uint)_tail - Volatile.Read(ref *_submissionHead) > _submissionMask;

    /// <summary>Whether the kernel holds completions back for which the queue had no room.</summary>
    public bool HasOverflow => (Volatile.Read(ref *_submissionFlags) & CompletionsOverflowed) != 0;

    public int Register(uint what, void* argument, uint count) =>
        (int)syscall(RegisterCall, _ring, (nint)what, (nint)argument, (nint)count, 0, 0);

    /// <summary>The next entry to fill in, all zero. Only where the queue is not full.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SubmissionEntry* Next()
    {
        var entry = _entries + ((uint)_tail++ & _submissionMask);
        *entry = default;
        _unsubmitted++;
        return entry;
    }

    /// <summary>Hands over what was filled in, and waits; a negative timeout waits without end.</summary>
    public void Enter(uint least, long timeoutNs)
    {
        Volatile.Write(ref *_submissionTail, (uint)_tail);
        var timeout = stackalloc long[2] { timeoutNs / 1_000_000_000, timeoutNs % 1_000_000_000 };
        var argument = stackalloc ulong[3] { 0, 0, (ulong)timeout };
        var hasLimit = least > 0 && timeoutNs >= 0;
        var flags = EnterGetEvents | (hasLimit ? EnterExtendedArgument : 0)
            | (_registered >= 0 ? EnterRegisteredRing : 0);
        var count = syscall(
            EnterCall, _registered >= 0 ? _registered : _ring, (nint)_unsubmitted, (nint)least, (nint)flags,
            hasLimit ? (nint)argument : 0, hasLimit ? 24 : 0);
        var error = count < 0 ? Marshal.GetLastSystemError() : 0;
        // What was taken is told by the head, whatever ended the wait.
        Taken += Volatile.Read(ref *_submissionHead) - (uint)Taken;
        _unsubmitted = (uint)(_tail - Taken);
        if (error is not (0 or Interrupted or TimedOut or Busy or TryAgain))
            throw new Win32Exception(error);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsTaken(long position) => position < Taken;

    /// <summary>Lets the entries not taken yet do nothing to a descriptor; they complete all the same.</summary>
    public void Withdraw(int descriptor)
    {
        for (var position = Taken; position < _tail; position++)
        {
            var entry = _entries + ((uint)position & _submissionMask);
            if (entry->Operation is SendOperation or ReceiveOperation && entry->Descriptor == descriptor)
                *entry = new SubmissionEntry { Token = entry->Token, Flags = (byte)(entry->Flags & SkipSuccess) };
        }
    }

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

/// <summary>struct io_uring_cqe.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct CompletionEntry
{
    public ulong Token;

    /// <summary>What the call would have returned, or its errno, negated.</summary>
    public int Result;

    public uint Flags;
}

/// <summary>struct io_uring_sqe.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct SubmissionEntry
{
    [FieldOffset(0)]
    public byte Operation;

    [FieldOffset(1)]
    public byte Flags;

    [FieldOffset(2)]
    public ushort Priority;

    [FieldOffset(4)]
    public int Descriptor;

    [FieldOffset(16)]
    public ulong Address;

    [FieldOffset(24)]
    public uint Length;

    /// <summary>The flags of send and receive, the events of poll.</summary>
    [FieldOffset(28)]
    public uint OperationFlags;

    [FieldOffset(32)]
    public ulong Token;

    [FieldOffset(40)]
    public ushort BufferGroup;
}

/// <summary>struct io_uring_params, with the two offset tables in it.</summary>
[StructLayout(LayoutKind.Explicit, Size = 120)]
internal struct UringSetup
{
    [FieldOffset(0)]
    public uint SubmissionEntries;

    [FieldOffset(4)]
    public uint CompletionEntries;

    [FieldOffset(8)]
    public uint Flags;

    [FieldOffset(20)]
    public uint Features;

    [FieldOffset(40)]
    public uint SubmissionHead;

    [FieldOffset(44)]
    public uint SubmissionTail;

    [FieldOffset(48)]
    public uint SubmissionMask;

    [FieldOffset(56)]
    public uint SubmissionFlags;

    [FieldOffset(64)]
    public uint SubmissionArray;

    [FieldOffset(80)]
    public uint CompletionHead;

    [FieldOffset(84)]
    public uint CompletionTail;

    [FieldOffset(88)]
    public uint CompletionMask;

    [FieldOffset(100)]
    public uint Completions;
}
