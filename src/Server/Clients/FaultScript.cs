using System.Diagnostics;
using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Clients;

/// <summary>
/// Faults that tests ask of the in-process server, from any thread. Turns count from 1 and from the moment the fault
/// was asked for; each happens once. What is counted are whole replies, or messages handed to a subscriber.
/// </summary>
public sealed class FaultScript
{
    private readonly Lock _gate = new();
    private readonly List<ScriptedFault> _replyFaults = [];
    private readonly List<ScriptedFault> _messageFaults = [];
    private readonly Dictionary<ClientConnection, byte[]> _overtaken = [];
    private readonly InProcessServer _server;
    private volatile bool _isStalled;
    private volatile bool _hasReplyFaults;
    private volatile bool _hasMessageFaults;
    private long _stalledUntil = long.MaxValue;
    private int _happened;

    internal FaultScript(InProcessServer server) => _server = server;

    /// <summary>How many scripted faults on replies and messages have happened.</summary>
    public int Happened => Volatile.Read(ref _happened);

    internal bool HasReplyFaults => _hasReplyFaults;

    internal bool HasMessageFaults => _hasMessageFaults;

    internal bool IsStalled => _isStalled;

    /// <summary>Stops listening: connecting is refused until <see cref="AcceptConnections"/>.</summary>
    public void RefuseConnections() => _server.Ask(_server.StopListening);

    /// <summary>Listens again, on the same port or path.</summary>
    public void AcceptConnections() => _server.Ask(_server.Listen);

    /// <summary>Closes every connection at once.</summary>
    public void CloseConnections() => _server.Ask(_server.CloseAll);

    /// <summary>Handles nothing for a time, as a server that was suspended; what arrives waits in the kernel.</summary>
    public void Stall(TimeSpan duration) => BeginStall(TimestampSpan.FromNow(duration));

    /// <summary>Handles nothing until <see cref="Release"/>.</summary>
    public void StallUntilReleased() => BeginStall(long.MaxValue);

    /// <summary>Ends a stall.</summary>
    public void Release()
    {
        _isStalled = false;
        _server.Ask(NoticeStall);
    }

    /// <summary>Replaces the first byte of the n-th reply, so that it is no RESP any more.</summary>
    /// <param name="turn">Which reply, from 1.</param>
    /// <param name="command">
    /// Count the replies to this command alone, in any case; a subcommand is <c>client|setname</c>.
    /// </param>
    public void CorruptReply(int turn, string? command = null) => AddReplyFault(FaultKind.Corrupt, turn, command);

    /// <summary>Executes the command of the n-th reply, but never answers it.</summary>
    public void DropReply(int turn, string? command = null) => AddReplyFault(FaultKind.Drop, turn, command);

    /// <summary>Holds the n-th reply, and what follows on its connection, for a time.</summary>
    public void DelayReply(int turn, TimeSpan delay, string? command = null) =>
        AddReplyFault(FaultKind.Delay, turn, command, delay);

    /// <summary>Closes the connection that was sent the n-th reply, after it.</summary>
    public void CloseAfterReplies(int turn, string? command = null) =>
        AddReplyFault(FaultKind.CloseAfter, turn, command);

    /// <summary>Does not deliver the n-th message; its publisher is told that it was.</summary>
    /// <param name="turn">Which delivery, from 1.</param>
    /// <param name="channel">Count the messages of this channel alone.</param>
    public void DropMessage(int turn, string? channel = null) => AddMessageFault(FaultKind.Drop, turn, channel);

    /// <summary>Delivers the n-th message twice.</summary>
    public void DuplicateMessage(int turn, string? channel = null) =>
        AddMessageFault(FaultKind.Duplicate, turn, channel);

    /// <summary>Delivers the n-th message after the one that follows it to the same subscriber.</summary>
    public void ReorderMessage(int turn, string? channel = null) => AddMessageFault(FaultKind.Reorder, turn, channel);

    /// <summary>Changes the last byte of the n-th message's payload; it stays valid RESP.</summary>
    public void CorruptMessage(int turn, string? channel = null) => AddMessageFault(FaultKind.Corrupt, turn, channel);

    /// <summary>Forgets the faults that have not happened; a message that was held for the next is lost.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _replyFaults.Clear();
            _messageFaults.Clear();
            _overtaken.Clear();
            _hasReplyFaults = _hasMessageFaults = false;
        }
    }

    internal void WaitWhileStalled(WaitHandle wake)
    {
        var left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), Volatile.Read(ref _stalledUntil));
        if (left <= TimeSpan.Zero)
            _isStalled = false;
        else
            wake.WaitOne(left < TimeSpan.FromDays(1) ? left : Timeout.InfiniteTimeSpan);
    }

    internal ScriptedFault? TakeReplyFault(ReadOnlySpan<byte> command)
    {
        lock (_gate)
        {
            var fault = Take(_replyFaults, command);
            _hasReplyFaults = _replyFaults.Count > 0;
            return fault;
        }
    }

    internal void DeliverMessage(ClientConnection client, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message)
    {
        lock (_gate)
        {
            var writer = client.Output.Writer;
            var kind = Take(_messageFaults, channel)?.Kind;
            if (kind is FaultKind.Reorder)
            {
                _overtaken[client] = message.ToArray();
                return;
            }

            if (kind is FaultKind.Corrupt)
                WriteCorrupted(writer, message);
            else if (kind is not FaultKind.Drop)
                writer.WriteRaw(message);
            if (kind is FaultKind.Duplicate)
                writer.WriteRaw(message);
            if (_overtaken.Remove(client, out var overtaken))
                writer.WriteRaw(overtaken);
            _hasMessageFaults = _messageFaults.Count + _overtaken.Count > 0;
        }
    }

    internal void Forget(ClientConnection client)
    {
        lock (_gate)
            _overtaken.Remove(client);
    }

    /// <summary>A message ends with its payload and CR LF; an empty payload has no byte to change.</summary>
    private static void WriteCorrupted(RespWriter writer, ReadOnlySpan<byte> message)
    {
        var last = message.Length - 3;
        if (message[last] == '\n')
        {
            writer.WriteRaw(message);
            return;
        }

        writer.WriteRaw(message[..last]);
        writer.WriteRaw([(byte)(message[last] ^ 1)]);
        writer.WriteRaw("\r\n"u8);
    }

    private ScriptedFault? Take(List<ScriptedFault> faults, ReadOnlySpan<byte> subject)
    {
        ScriptedFault? due = null;
        for (var index = 0; index < faults.Count; index++)
        {
            if (!faults[index].IsDue(subject))
                continue;
            due = faults[index];
            faults.RemoveAt(index--);
            Interlocked.Increment(ref _happened);
        }

        return due;
    }

    private void BeginStall(long until)
    {
        Volatile.Write(ref _stalledUntil, until);
        _isStalled = true;
        _server.Ask(NoticeStall);
    }

    // That its thread runs is enough: it looks at the stall after every question.
    private static void NoticeStall()
    {
    }

    private void AddReplyFault(FaultKind kind, int turn, string? command, TimeSpan delay = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(turn, 1);
        lock (_gate)
        {
            _replyFaults.Add(new ScriptedFault(kind, turn, command) { Delay = delay });
            _hasReplyFaults = true;
        }
    }

    private void AddMessageFault(FaultKind kind, int turn, string? channel)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(turn, 1);
        lock (_gate)
        {
            _messageFaults.Add(new ScriptedFault(kind, turn, channel));
            _hasMessageFaults = true;
        }
    }
}

/// <summary>A fault at the n-th reply or message, from 1, of one command or channel; null counts all.</summary>
internal sealed class ScriptedFault(FaultKind kind, int turn, string? subject)
{
    private readonly byte[]? _subject = subject is null ? null : Encoding.UTF8.GetBytes(subject);
    private int _left = turn;

    public FaultKind Kind { get; } = kind;

    public TimeSpan Delay { get; init; }

    public bool IsDue(ReadOnlySpan<byte> subject) =>
        (_subject is null || Ascii.EqualsIgnoreCase(_subject, subject)) && --_left == 0;
}

internal enum FaultKind
{
    Corrupt,
    Drop,
    Delay,
    CloseAfter,
    Duplicate,
    Reorder,
}
