using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static RedisLatency.Redis.EventLoops.LinuxCalls;
using static RedisLatency.Redis.EventLoops.UringInterop;

namespace RedisLatency.Redis.EventLoops;

/// <content>What is asked of the kernel, and what becomes of its answers.</content>
public sealed unsafe partial class UringLoop
{
    private const int WorkBits = 2;
    private const ulong WorkMask = (1 << WorkBits) - 1;
    private const uint SendFlags = NoSignal | WaitForAll | DoNotWait;

    private static ulong TokenOf(RingConnection connection, RingWork work) =>
        ((ulong)connection.Id << WorkBits) | (ulong)work;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Fill(SubmissionEntry* entry, RingConnection connection, uint flags)
    {
        entry->Address = (ulong)connection.OutAddress;
        entry->Length = (uint)connection.OutLength;
        entry->OperationFlags = flags;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private SubmissionEntry* NextFor(RingConnection connection, RingWork work)
    {
        var entry = NextEntry();
        entry->Operation = work == RingWork.Send ? SendOperation : ReceiveOperation;
        entry->Descriptor = connection.Descriptor;
        entry->Token = TokenOf(connection, work);
        return entry;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private SubmissionEntry* NextEntry()
    {
        while (_queues!.IsFull)
            HandOver(0, 0);
        return _queues.Next();
    }

    /// <summary>Whoever stamps what it sends does so here: the kernel sends as it takes the entries.</summary>
    private void HandOver(uint least, long timeoutNs)
    {
        if (_hasSends)
            _receiver?.Sending();
        _hasSends = false;
        _queues!.Enter(least, timeoutNs);
    }

    private void Receive(RingConnection connection)
    {
        var entry = NextFor(connection, RingWork.Receive);
        entry->Priority = ReceiveMultishot;
        entry->Flags = SelectBuffer;
        entry->BufferGroup = ReceiveBuffers.Group;
        connection.IsReceiving = true;
    }

    private void Cancel(RingConnection connection)
    {
        var entry = NextEntry();
        entry->Operation = AsyncCancel;
        entry->Address = TokenOf(connection, RingWork.Receive);
        entry->Token = (ulong)RingWork.Cancel;
    }

    private void WatchWake()
    {
        const uint readable = 1;
        var entry = NextEntry();
        entry->Operation = PollAdd;
        entry->Descriptor = _wake.Descriptor;
        entry->OperationFlags = readable;
        entry->Token = (ulong)RingWork.Wake;
    }

    private int Received(IStreamReceiver receiver, RingConnection connection, in CompletionEntry completion)
    {
        if ((completion.Flags & CompletionHasMore) == 0)
            connection.IsReceiving = false;
        var isWanted = !connection.IsRemoved;
        if ((completion.Flags & CompletionHasBuffer) != 0)
        {
            var buffer = (int)(completion.Flags >> BufferShift);
            if (isWanted && completion.Result > 0)
                receiver.Received(connection.Token, _buffers!.Bytes(buffer, completion.Result));
            _buffers!.Return(buffer);
        }

        if (connection.IsRemoved)
            return isWanted ? 1 : 0;

        if (completion.Result is <= 0 and not (-NoBuffers or -Interrupted or -TryAgain))
            End(receiver, connection, completion.Result);
        else if (!connection.IsReceiving)
            Receive(connection);
        return 1;
    }

    private void End(IStreamReceiver receiver, RingConnection connection, int result)
    {
        var token = connection.Token;
        Remove(token);
        receiver.Ended(token, result == 0 ? null : Marshal.GetPInvokeErrorMessage(-result));
    }

    /// <summary>Only what did not go well is told: all at once, or at last.</summary>
    private void Sent(RingConnection connection, int result)
    {
        var wasWaitedFor = connection.IsSending;
        connection.IsSending = false;
        var isBroken = result < 0 && result != -TryAgain && result != -Interrupted;
        if (connection.IsRemoved || isBroken)
        {
            // The receiving side says that the connection has ended, after what was still to be received.
            connection.Waiting.Drop(connection.Waiting.Length);
            return;
        }

        connection.DropOut(Math.Max(result, 0));
        if (wasWaitedFor && connection.OutLength == 0)
            connection.TakeWaiting();
        if (connection.OutLength > 0)
            SendPatiently(connection);
    }

    private void SendAtOnce(RingConnection connection)
    {
        connection.Entry = NextFor(connection, RingWork.Send);
        connection.EntryPosition = _queues!.Position - 1;
        Fill(connection.Entry, connection, SendFlags);
        connection.Entry->Flags = SkipSuccess;
    }

    private bool IsOurs(RingConnection connection) =>
        connection.Entry is not null && !_queues!.IsTaken(connection.EntryPosition);

    private bool IsUndecided(RingConnection connection) =>
        connection.Entry is not null && connection.EntryPosition >= _decided;

    /// <summary>At the end of a round all answers are read: what the kernel said nothing of has gone.</summary>
    private void SendUndecided()
    {
        if (_undecided.Count == 0)
            return;
        foreach (var connection in _undecided)
        {
            // What it is still sending is followed by the rest as soon as it is done.
            if (connection.IsRemoved || connection.IsSending || connection.Waiting.Length == 0)
                continue;
            connection.OutLength = 0;
            connection.TakeWaiting();
            SendAtOnce(connection);
        }

        _undecided.Clear();
    }

    /// <summary>Sends what is left over, however long that takes; what comes meanwhile waits.</summary>
    private void SendPatiently(RingConnection connection)
    {
        connection.IsSending = true;
        var entry = NextFor(connection, RingWork.Send);
        Fill(entry, connection, NoSignal | WaitForAll);
    }

    /// <summary>
    /// At the end of a round, when all answers are read: gives the places of those away of whom the kernel has nothing
    /// more to say. An answer that came later would be taken for the next one's.
    /// </summary>
    private void ForgetLeaving()
    {
        for (var place = _leaving.Count - 1; place >= 0; place--)
        {
            var connection = _leaving[place];
            if (connection.IsReceiving || connection.IsSending || IsOurs(connection))
                continue;
            _connections[connection.Id] = null;
            _free.Push(connection.Id);
            _leaving.RemoveAt(place);
        }
    }
}
