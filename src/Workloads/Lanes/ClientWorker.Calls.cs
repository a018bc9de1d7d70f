using System.Text;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Lanes;

/// <content>What a caller does with its operations, and what their replies lead to.</content>
internal sealed partial class ClientWorker
{
    private const int LongestPauseMs = 250;

    /// <summary>One caller: in a closed loop until the end, in an open one for one operation.</summary>
    private async Task Call(ClientOperation caller, ClientStep step)
    {
        try
        {
            while (step != ClientStep.End)
            {
                if (step == ClientStep.Send)
                {
                    Stamp(caller);
                    var reply = await caller.Link.Client.Send(caller.Request, caller.IsRead).ConfigureAwait(false);
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
        if (caller.Slot.Sent != 0)
            return;
        caller.Slot.Sent = now;
        if (_schedule is null)
            caller.Slot.Intended = now;
        else if (caller.Slot.Series < _operations.Length)
            Counts.Lateness.Record(now - Math.Max(caller.Slot.Intended, Volatile.Read(ref _roomSince)));
    }

    private async Task Pause(int before)
    {
        try
        {
            var pause = TimeSpan.FromMilliseconds(Math.Min(1 << Math.Min(before, 20), LongestPauseMs));
            await Task.Delay(pause, TimeProvider.System, _untilDraining).ConfigureAwait(false);
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
        var now = MonotonicClock.NowNs();
        if (_isDraining || caller.IsAbandoned || _left == 0 || now >= _stopAt)
            return ClientStep.End;
        Draw(caller, now);
        return ClientStep.Send;
    }

    private void Draw(ClientOperation caller, long intended)
    {
        var place = _plan.Mix.Next(_inputs, _turn++);
        var operation = _operations[place];
        var isMeasured = intended >= _measureFrom;
        caller.Slot = default;
        caller.Slot.Intended = intended;
        caller.Slot.Key = operation.Command.HasKey ? _inputs.NextKey(operation.KeyStream) : 0;
        caller.Slot.Operation = (short)place;
        caller.Slot.Series = (short)(isMeasured ? place : place + _operations.Length);
        caller.IsUnderWay = true;
        Counts.Operations[caller.Slot.Series].Sent++;
        _inFlight++;
        if (isMeasured)
            _left--;
        Write(caller, operation.Command, _commands[place]);
    }

    private void Write(ClientOperation caller, CommandTemplate template, ClientCommand[] commands)
    {
        var stream = _operations[caller.Slot.Operation].KeyStream;
        template.Write(_requests, _inputs, stream, caller.Slot.Key);
        caller.Request = ClientRequest.Read(commands, _requests.Written);
        caller.IsRead = template.IsRead;
        _requests.Clear();
    }

    private ClientStep Take(ClientOperation caller, in ClientReply reply, long now)
    {
        string? stop = null;
        ClientStep step;
        lock (_lock)
        {
            if (caller.IsAbandoned)
                return ClientStep.End;
            caller.HasAnswer |= reply.Outcome is ClientOutcome.Completed or ClientOutcome.Error
                or ClientOutcome.NotDone;
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
        var operation = _operations[slot.Operation];
        ref var counts = ref Counts.Operations[slot.Series];
        if (slot.Stage == 0)
        {
            if (caller.IsRead && !slot.HasRead)
            {
                counts.Hits += reply.Values;
                counts.Misses += reply.Nulls;
                if (_plan.Verify && operation.Command.ReturnsValue
                    && (reply.Nulls > 0
                        ? _inputs.IsLoaded(slot.Key)
                        : !_inputs.IsExpected(slot.Key, reply.Value)))
                    counts.Mismatched++;
            }

            if (operation.Command.Then is { } next)
            {
                slot.Stage = 1;
                slot.HasRead = true;
                Write(caller, next, _following[slot.Operation]);
                return ClientStep.Send;
            }
        }

        counts.Completed++;
        Counts.LastEnded = Math.Max(Counts.LastEnded, now);
        Counts.Service[slot.Series].Record(now - slot.Sent);
        if (_schedule is not null)
            Counts.Response[slot.Series].Record(now - slot.Intended);
        caller.Pauses = 0;
        return GoOn(caller, ClientStep.Send);
    }

    private ClientStep EndWithout(ClientOperation caller, ClientOutcome outcome)
    {
        ref var counts = ref Counts.Operations[caller.Slot.Series];
        _ = outcome == ClientOutcome.Lost ? counts.Lost++ : counts.TimedOut++;
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
            ClientOutcome.NotDone => $"{ReplyKind.WrongCode}client) {problem}",
            _ => $"(client) {problem}",
        };
        var bytes = Encoding.UTF8.GetBytes(text);
        Counts.Errors[slot.Series].Count(bytes);
        if (isError && !slot.IsUnprepared && bytes.AsSpan().StartsWith("NOSCRIPT"u8)
            && _operations[slot.Operation].Command.Unprepared is { } whole)
        {
            // SCRIPT FLUSH: the script is sent along once, which the server then keeps.
            stop = null;
            slot.IsUnprepared = true;
            Counts.Operations[slot.Series].Retried++;
            Write(caller, whole, CommandsOf(whole));
            return ClientStep.Send;
        }

        // A primary that has become a replica takes no writes: it says so itself, or the client, which knows it as one.
        if (isAway || (isError && bytes.AsSpan().StartsWith("READONLY"u8)))
            caller.Link.Doubt();
        stop = _plan.OnError == ErrorPolicy.Stop && !isAway && slot.Series < _operations.Length
            ? $"{_operations[slot.Operation].Name}: {text}"
            : null;
        var mayPass = isAway || (isError && ErrorCode.MayPass(bytes));
        if (_plan.OnError == ErrorPolicy.Retry && mayPass && slot.Retries < _plan.MaximumRetries && !_isDraining)
        {
            caller.Pauses = slot.Retries++;
            Volatile.Write(ref slot.LastSent, 0);
            Counts.Operations[slot.Series].Retried++;
            return ClientStep.SendAgain;
        }

        // What costs no round trip would otherwise be tried, and refused, as fast as the processor can.
        var wasSent = isError || reply.Outcome == ClientOutcome.NotDone;
        return EndWithError(caller, wasSent ? ClientStep.Send : ClientStep.Rest);
    }

    private ClientStep SendAgain(ClientOperation caller)
    {
        lock (_lock)
        {
            if (caller.IsAbandoned)
                return ClientStep.End;
            if (_isDraining)
            {
                var step = EndWithError(caller, ClientStep.End);
                _news.Set();
                return step;
            }

            caller.Slot.Stage = 0;
            caller.Slot.IsUnprepared = false;
            Write(caller, _operations[caller.Slot.Operation].Command, _commands[caller.Slot.Operation]);
            return ClientStep.Send;
        }
    }

    private ClientStep EndWithError(ClientOperation caller, ClientStep next)
    {
        Counts.Operations[caller.Slot.Series].Errors++;
        return GoOn(caller, next);
    }

    /// <summary>The operation has ended: an open loop's caller is free, a closed loop's goes on.</summary>
    private ClientStep GoOn(ClientOperation caller, ClientStep next)
    {
        Close(caller);
        if (_schedule is null)
            return next == ClientStep.Send ? DrawNext(caller) : next;
        _idle.Enqueue(caller);
        return ClientStep.End;
    }

    private void Close(ClientOperation caller)
    {
        _inFlight--;
        caller.IsUnderWay = false;
        _inputs.Settle(_operations[caller.Slot.Operation].KeyStream, caller.Slot.Key);
    }

    private void EndLateOperations(long now)
    {
        if (_plan.CommandTimeout is not { } limit)
            return;
        var limitNs = limit.InNanoseconds;
        for (var place = 0; place < _callers.Length; place++)
        {
            var caller = _callers[place];
            if (!caller.IsUnderWay || Volatile.Read(ref caller.Slot.LastSent) is not (> 0 and var sent)
                || now - sent <= limitNs)
                continue;
            Abandon(caller);
            _callers[place] = NewCaller(place);
            if (_schedule is null)
                Begin(_callers[place]);
            else
                _idle.Enqueue(_callers[place]);
        }
    }

    /// <summary>Nobody waits for it any more: the client goes on, and what it brings is not looked at.</summary>
    private void Abandon(ClientOperation caller)
    {
        ref var counts = ref Counts.Operations[caller.Slot.Series];
        _ = _failure is null ? counts.TimedOut++ : counts.Lost++;
        if (_left == 0)
            Counts.LastEnded = MonotonicClock.NowNs();
        caller.IsAbandoned = true;
        Close(caller);
    }
}
