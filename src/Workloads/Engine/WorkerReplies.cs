using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

internal sealed class WorkerReplies(
    EnginePlan plan,
    WorkerTime time,
    WorkerOperations operations,
    OperationRouting routing,
    RetryQueue retries,
    Action<string> stopAll)
{
    public void Take(LoadConnection connection, ReadOnlySpan<byte> bytes)
    {
        if (connection.BatchAnsweredAt == 0)
            connection.BatchAnsweredAt = time.Now;
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
            connection.AnsweredAt = time.Now;
        return used;
    }

    private static string Unasked(in ScannedReply reply, ReadOnlySpan<byte> bytes) =>
        Encoding.UTF8.GetString(bytes.Slice(reply.ContentStart, Math.Min(reply.ContentLength, 80)));

    private void Take(LoadConnection connection, in ScannedReply reply, ReadOnlySpan<byte> bytes)
    {
        ref var slot = ref connection.Oldest;
        operations.CountReceived(slot, reply.Length);
        if (reply.HasError)
            TakeError(connection, ref slot, bytes.Slice(reply.ContentStart, reply.ContentLength));
        else if (ReplyKind.Of(reply) is var kind && !operations.CommandOf(slot).CanHave(slot.RepliesLeft, kind))
            TakeError(connection, ref slot, ReplyKind.WrongText(kind));
        else if (kind == ReplyKinds.Array && slot.Elements > 0 && reply.Values + reply.Nulls != slot.Elements)
            TakeError(connection, ref slot, ReplyKind.WrongLength);
        if (slot.RepliesLeft > 1)
        {
            slot.RepliesLeft--;
            return;
        }

        // Its place stays as it is until another takes it, which copies what it needs first. So does its request.
        var length = slot.RequestLength;
        connection.Pop();
        if (slot.HasError)
        {
            TakeFailed(
                connection, ref slot,
                connection.FirstError.Length > 0 ? connection.FirstError.Bytes
                : reply.HasError ? bytes.Slice(reply.ContentStart, reply.ContentLength)
                : []);
            connection.FirstError.Drop(connection.FirstError.Length);
        }
        else
        {
            operations.Complete(connection, slot, reply, bytes);
        }

        connection.Requests.Release(length);
    }

    private void TakeError(LoadConnection connection, ref InFlightOperation slot, ReadOnlySpan<byte> error)
    {
        // A transaction that fails has an error for each of its commands: the first says why.
        if (slot.HasError)
            return;
        var kind = ErrorReply.KindOf(error);
        slot.Error = kind.NamesServer && !routing.Follows ? ErrorKind.Final : kind;
        if (slot.RepliesLeft > 1)
            connection.FirstError.Append(error);
        operations.ErrorsOf(slot).Count(error);
        if (!slot.Error.NamesServer && !IsOfForgottenScript(slot))
            StopIfAsked(slot, error);
    }

    private void StopIfAsked(in InFlightOperation slot, ReadOnlySpan<byte> error)
    {
        if (plan.OnError == ErrorPolicy.Stop)
            stopAll($"{operations.MixedOf(slot).Name}: {Encoding.UTF8.GetString(error)}");
    }

    private void TakeFailed(LoadConnection connection, ref InFlightOperation slot, ReadOnlySpan<byte> error)
    {
        if (IsOfForgottenScript(slot))
        {
            operations.CountsOf(slot).Retried++;
            operations.WriteUnprepared(connection, slot);
            return;
        }

        if (slot.Error == ErrorKind.ReadOnly)
            routing.Doubt();
        var next = RequestRetry.After(slot.Error, ref slot.Redirections);
        if (next == NextStep.Follow && routing.TryFollow(connection, slot, error))
            return;
        if (slot.Error.NamesServer)
            StopIfAsked(slot, error);
        if (next == NextStep.SendAgain && operations.MaySendAgain(slot))
            retries.Retry(slot, operations.RequestOf(connection, slot));
        else
            operations.EndWithError(slot);
    }

    /// <summary>SCRIPT FLUSH: the script is sent along once, which the server then keeps.</summary>
    private bool IsOfForgottenScript(in InFlightOperation slot) => slot.Error == ErrorKind.NoScript
        && !slot.IsUnprepared && operations.MixedOf(slot).Command.Unprepared is not null;
}
