using System.Text;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

/// <content>What a caller does with its operations, and what their replies lead to.</content>
internal sealed partial class ClientWorker
{
    /// <summary>One caller: in a closed loop until the end, in an open one for one operation.</summary>
    private async Task Call(ClientOperation caller, ClientStep step)
    {
        try
        {
            while (step != ClientStep.End)
            {
                if (step == ClientStep.Send)
                {
                    var client = caller.SentBy = caller.Link.Client;
                    Stamp(caller);
                    var reply = await client.Send(caller.Request, caller.IsRead).ConfigureAwait(false);
                    step = Take(caller, reply, MonotonicClock.NowNs());
                    continue;
                }

                if (step != ClientStep.Begin)
                    await Pause(caller.Pauses++).ConfigureAwait(false);
                step = step == ClientStep.SendAgain ? SendAgain(caller) : TakeNext(caller);
            }
        }
        catch (Exception problem)
        {
            Fail(problem);
        }
    }

    private void Stamp(ClientOperation caller)
    {
        var now = MonotonicClock.NowNs();
        Volatile.Write(ref caller.Slot.LastSent, now);
        if (caller.Slot.Sent == 0)
            Operations.Begun(ref caller.Slot, now);
    }

    private async Task Pause(int before)
    {
        try
        {
            await Task.Delay(RequestRetry.PauseAfter(before), TimeProvider.System, _untilDraining)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Nothing more is sent: what comes next looks at that.
        }
    }

    private ClientStep TakeNext(ClientOperation caller)
    {
        lock (_lock)
            return DrawNext(caller);
    }

    private ClientStep DrawNext(ClientOperation caller)
    {
        Time.Now = MonotonicClock.NowNs();
        if (caller.IsAbandoned || !Operations.IsSending)
            return ClientStep.End;
        Draw(caller, Time.Now);
        return ClientStep.Send;
    }

    private void Draw(ClientOperation caller, long intended)
    {
        Operations.Draw(out caller.Slot, intended);
        caller.IsInFlight = true;
        var place = caller.Slot.Operation;
        Write(caller, Operations.MixedOf(caller.Slot).Command, _commands[place]);
    }

    private void Write(ClientOperation caller, CommandTemplate template, ClientCommand[] commands)
    {
        Operations.Write(_requests, ref caller.Slot, template);
        caller.Request = ClientRequest.Read(commands, _requests.Written);
        caller.IsRead = template.IsRead;
        _requests.Clear();
    }

    private ClientStep Take(ClientOperation caller, ClientReply reply, long now)
    {
        string? stop = null;
        ClientStep step;
        lock (_lock)
        {
            if (caller.IsAbandoned)
                return ClientStep.End;
            Time.Now = Math.Max(Time.Now, now);
            if (caller.IsRead && caller.Slot.Elements is > 0 and var elements)
                reply = reply.Of(elements);
            caller.HasAnswer |= reply.Outcome is ClientOutcome.Completed or ClientOutcome.Error
                or ClientOutcome.WrongKind;
            step = reply.Outcome switch
            {
                ClientOutcome.Completed => Complete(caller, reply, now),
                ClientOutcome.TimedOut or ClientOutcome.Lost => EndWithout(caller, reply.Outcome),
                _ => TakeProblem(caller, reply, out stop),
            };
            if (HasNews)
                _news.Set();
        }

        // Not under the lock: it reaches into the other workers.
        if (stop is not null)
            _stopAll(stop);
        return step;
    }

    private ClientStep Complete(ClientOperation caller, in ClientReply reply, long now)
    {
        ref var slot = ref caller.Slot;
        if (slot.Stage == 0)
        {
            if (caller.IsRead)
                Operations.CountRead(slot, reply.Values, reply.Nulls, reply.Value);

            if (Operations.MixedOf(slot).Command.Then is { } next)
            {
                Operations.EndFirst(slot, now);
                slot.Stage = 1;
                Write(caller, next, _following[slot.Operation]);
                return ClientStep.Send;
            }
        }

        Operations.EndWell(slot, now);
        caller.Pauses = 0;
        return GoOn(caller, ClientStep.Send);
    }

    private ClientStep EndWithout(ClientOperation caller, ClientOutcome outcome)
    {
        if (outcome == ClientOutcome.Lost)
            Operations.EndAsLost(caller.Slot);
        else
            Operations.EndAsTimedOut(caller.Slot);
        caller.IsUnanswered = outcome == ClientOutcome.TimedOut;
        return GoOn(caller, ClientStep.Send);
    }

    private ClientStep TakeProblem(ClientOperation caller, in ClientReply reply, out string? stop)
    {
        ref var slot = ref caller.Slot;
        var isError = reply.Outcome == ClientOutcome.Error;
        var isAway = reply.Outcome == ClientOutcome.NotConnected;
        var problem = (reply.Problem ?? string.Empty).ReplaceLineEndings(" ");
        var text = reply.Outcome switch
        {
            ClientOutcome.Error => problem,
            ClientOutcome.NotConnected => $"(unreachable) {problem}",
            ClientOutcome.WrongKind => $"{ReplyKind.WrongCode}client) {problem}",
            _ => $"(client) {problem}",
        };
        var bytes = Encoding.UTF8.GetBytes(text);
        Operations.ErrorsOf(slot).Count(bytes);
        var kind = isError ? ErrorReply.KindOf(bytes) : ErrorKind.Final;
        if (kind == ErrorKind.NoScript && !slot.IsUnprepared
            && Operations.MixedOf(slot).Command is { Unprepared: { } whole } command)
        {
            // SCRIPT FLUSH: the script is sent along once, which the server then keeps.
            stop = null;
            slot.IsUnprepared = true;
            Operations.CountsOf(slot).Retried++;
            caller.Request = caller.Request.Replacing(
                CommandsOf(whole), Encoding.UTF8.GetBytes(command.Preparation[^1]));
            return ClientStep.Send;
        }

        // A primary that has become a replica takes no writes: it says so itself, or the client, which knows it as one.
        if (isAway || kind == ErrorKind.ReadOnly)
            caller.Link.Doubt();
        stop = Plan.OnError == ErrorPolicy.Stop && !isAway
            ? $"{Operations.MixedOf(slot).Name}: {text}"
            : null;
        if ((isAway || kind.MayPass) && Operations.MaySendAgain(slot))
        {
            caller.Pauses = slot.Retries++;
            Volatile.Write(ref slot.LastSent, 0);
            Operations.CountsOf(slot).Retried++;
            return ClientStep.SendAgain;
        }

        // What costs no round trip would otherwise be tried, and refused, as fast as the processor can.
        var wasSent = isError || reply.Outcome == ClientOutcome.WrongKind;
        return EndWithError(caller, wasSent ? ClientStep.Send : ClientStep.Rest);
    }

    private ClientStep SendAgain(ClientOperation caller)
    {
        lock (_lock)
        {
            if (caller.IsAbandoned)
                return ClientStep.End;
            if (Time.IsDraining)
            {
                Time.Now = MonotonicClock.NowNs();
                var step = EndWithError(caller, ClientStep.End);
                _news.Set();
                return step;
            }

            return ClientStep.Send;
        }
    }

    private ClientStep EndWithError(ClientOperation caller, ClientStep next)
    {
        Operations.EndWithError(caller.Slot);
        return GoOn(caller, next);
    }

    /// <summary>The operation has ended: an open loop's caller is free, a closed loop's goes on.</summary>
    private ClientStep GoOn(ClientOperation caller, ClientStep next)
    {
        caller.IsInFlight = false;
        if (_schedule is null)
            return next == ClientStep.Send ? DrawNext(caller) : next;
        _idle.Enqueue(caller);
        return ClientStep.End;
    }

    private void EndLateOperations(long now)
    {
        var limitNs = Plan.CommandTimeout?.InNanoseconds ?? long.MaxValue;
        for (var place = 0; place < _callers.Length; place++)
        {
            var caller = _callers[place];
            if (!caller.IsInFlight || Volatile.Read(ref caller.Slot.LastSent) is not (> 0 and var sent))
                continue;
            // What a client has in flight when it is closed, it may leave without an end.
            var isLost = caller.SentBy != caller.Link.Client;
            if (!isLost && now - sent <= limitNs)
                continue;
            Abandon(caller, isLost);
            _callers[place] = NewCaller(place);
            if (_schedule is null)
                Begin(_callers[place]);
            else
                _idle.Enqueue(_callers[place]);
        }
    }

    /// <summary>Nobody waits for it any more: the client goes on, and what it brings is not looked at.</summary>
    private void Abandon(ClientOperation caller, bool isLost)
    {
        if (isLost)
            Operations.EndAsLost(caller.Slot);
        else
            Operations.EndAsTimedOut(caller.Slot);
        caller.IsUnanswered = !isLost;
        caller.IsAbandoned = true;
        caller.IsInFlight = false;
    }
}
