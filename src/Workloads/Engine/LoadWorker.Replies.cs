using System.Runtime.CompilerServices;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <content>What a reply leads to.</content>
internal sealed partial class LoadWorker
{
    /// <inheritdoc/>
    public void Received(int token, ReadOnlySpan<byte> bytes)
    {
        _now = MonotonicClock.NowNs();
        if (_waitingSince != 0)
            EndWait();
        Counts.BytesReceived += bytes.Length;
        var connection = _connections[token];
        if (connection.Tls is { } tls)
            ReceivedRecords(connection, tls, bytes);
        else
            ReceivedPlain(connection, bytes);
    }

    private void ReceivedPlain(LoadConnection connection, ReadOnlySpan<byte> bytes)
    {
        try
        {
            if (connection.Beginning.Length == 0)
            {
                var used = ReadReplies(connection, bytes);
                if (used < bytes.Length && connection.Socket is not null)
                    connection.Beginning.Append(bytes[used..]);
            }
            else
            {
                connection.Beginning.Append(bytes);
                var used = ReadReplies(connection, connection.Beginning.Bytes);
                if (connection.Socket is not null)
                    connection.Beginning.Drop(used);
            }
        }
        catch (RedisProtocolException problem)
        {
            Break(connection, problem.Message);
            return;
        }

        if (_schedule is null)
        {
            Refill(connection);
            Flush(connection);
            FlushRouted();
            return;
        }

        Flush(connection);
        FlushRouted();
        if (_source is null)
            Offer(connection);
        TrySendNext(_schedule);
    }

    /// <returns>How many bytes the whole replies had.</returns>
    private int ReadReplies(LoadConnection connection, ReadOnlySpan<byte> bytes)
    {
        var used = 0;
        while (used < bytes.Length && connection.Scanner.TryRead(bytes[used..], out var reply))
        {
            if (connection.Unanswered > 0 && reply.Type != RespType.Push)
                Take(connection, reply, bytes.Slice(used, reply.Length));
            else if (reply.Type != RespType.Push)
                throw new RedisProtocolException($"a reply that nobody asked for: {Unasked(reply, bytes[used..])}");
            used += reply.Length;
        }

        if (used > 0)
            connection.AnsweredAt = _now;
        return used;
    }

    private static string Unasked(in ScannedReply reply, ReadOnlySpan<byte> bytes) =>
        System.Text.Encoding.UTF8.GetString(bytes.Slice(reply.ContentStart, Math.Min(reply.ContentLength, 80)));

    private void Take(LoadConnection connection, in ScannedReply reply, ReadOnlySpan<byte> bytes)
    {
        ref var slot = ref connection.Oldest;
        if (reply.HasError)
            TakeError(ref slot, bytes.Slice(reply.ContentStart, reply.ContentLength));
        else if (ReplyKind.Of(reply) is var kind && !CommandOf(slot).CanHave(slot.RepliesLeft, kind))
            TakeError(ref slot, ReplyKind.WrongText(kind));
        if (slot.RepliesLeft > 1)
        {
            slot.RepliesLeft--;
            return;
        }

        // Its place stays as it is until another takes it, which copies what it needs first.
        connection.Pop();
        if (slot.HasError)
            TakeFailed(connection, slot, reply.HasError ? bytes.Slice(reply.ContentStart, reply.ContentLength) : []);
        else
            Complete(connection, slot, reply, bytes);
    }

    // Whose replies are awaited; that of a script that was forgotten is answered as the other.
    private CommandTemplate CommandOf(in InFlightOperation slot)
    {
        var command = _operations[slot.Operation].Command;
        return slot.Stage == 0 ? command : command.Then!;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Complete(
        LoadConnection connection, in InFlightOperation slot, in ScannedReply reply, ReadOnlySpan<byte> bytes)
    {
        var operation = _operations[slot.Operation];
        var command = operation.Command;
        ref var counts = ref _counts[slot.Series];
        if (slot.Stage == 0)
        {
            if (command.IsRead)
            {
                if (!slot.HasRead)
                {
                    counts.Hits += reply.Values;
                    counts.Misses += reply.Nulls;
                }

                if (_plan.Verify && !slot.HasRead && command.ReturnsValue && (reply.Nulls > 0 ? _inputs.IsLoaded(slot.Key)
                    : !_inputs.IsExpected(slot.Key, bytes.Slice(reply.ContentStart, reply.ContentLength))))
                    counts.Mismatched++;
            }

            if (command.Then is { } next)
            {
                BeginNext(connection, slot, next, operation.KeyStream);
                return;
            }
        }

        counts.Completed++;
        _inFlight--;
        Counts.LastEnded = _now;
        Counts.Service[slot.Series].Record(_now - slot.Sent);
        if (_schedule is not null)
            Counts.Response[slot.Series].Record(_now - slot.Intended);
        _inputs.Settle(operation.KeyStream, slot.Key);
    }

    private void BeginNext(LoadConnection connection, in InFlightOperation first, CommandTemplate next, int stream)
    {
        ref var slot = ref connection.Push();
        slot = first;
        slot.Stage = 1;
        slot.HasRead = true;
        slot.RepliesLeft = next.Replies;
        next.Write(connection.Requests, _inputs, stream, first.Key);
    }

    private void TakeError(ref InFlightOperation slot, ReadOnlySpan<byte> error)
    {
        // A transaction that fails has an error for each of its commands: the first says why.
        if (slot.HasError)
            return;
        slot.HasError = true;
        slot.MayPass = ErrorCode.MayPass(error);
        Counts.Errors[slot.Series].Count(error);
        if (!(FollowsRedirections && IsRedirection(error)) && !IsOfForgottenScript(slot, error))
            StopIfAsked(slot, error);
    }

    private void StopIfAsked(in InFlightOperation slot, ReadOnlySpan<byte> error)
    {
        if (_plan.OnError == ErrorPolicy.Stop && slot.Series < _operations.Length)
            _stopAll($"{_operations[slot.Operation].Name}: {System.Text.Encoding.UTF8.GetString(error)}");
    }

    private void TakeFailed(LoadConnection connection, in InFlightOperation slot, ReadOnlySpan<byte> error)
    {
        var mayPass = slot.MayPass;
        if (IsOfForgottenScript(slot, error))
        {
            _counts[slot.Series].Retried++;
            WriteAgain(connection, slot with { IsUnprepared = true });
            return;
        }

        if (FollowsRedirections)
        {
            if (TryFollow(connection, slot, error))
                return;
            // Nodes that name each other without end will agree in time.
            if (IsRedirection(error))
            {
                mayPass = true;
                StopIfAsked(slot, error);
            }
        }

        // A primary that has become a replica takes no writes, and is told so by nobody but its own answer.
        if (_source is not null && error.StartsWith("READONLY"u8))
            _source.Doubt(_routes.Map);
        if (_plan.OnError == ErrorPolicy.Retry && mayPass && slot.Retries < _plan.MaximumRetries && !_isDraining)
        {
            WaitToSendAgain(slot);
            return;
        }

        EndWithError(slot);
    }

    /// <summary>SCRIPT FLUSH: the script is sent along once, which the server then keeps.</summary>
    private bool IsOfForgottenScript(in InFlightOperation slot, ReadOnlySpan<byte> error) =>
        error.StartsWith("NOSCRIPT"u8) && !slot.IsUnprepared
        && _operations[slot.Operation].Command.Unprepared is not null;

    private void EndWithError(in InFlightOperation slot)
    {
        _counts[slot.Series].Errors++;
        End(slot);
    }

    /// <summary>Of an operation that did not complete: nobody will try it again.</summary>
    private void End(in InFlightOperation slot)
    {
        _inFlight--;
        // Where operations are counted, the phase lasts until the last of them has ended in whichever way.
        if (_left == 0)
            Counts.LastEnded = _now;
        _inputs.Settle(_operations[slot.Operation].KeyStream, slot.Key);
    }
}
