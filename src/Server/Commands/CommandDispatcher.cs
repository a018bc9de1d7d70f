using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Clients;

namespace RedisLatency.Server.Commands;

/// <summary>
/// Finds, checks and executes the command that a client sent, in the order of <c>processCommand</c> of Redis 7.0:
/// its existence, its words, subscription.
/// </summary>
internal sealed class CommandDispatcher(ServerState server)
{
    private static readonly CommandDescription Unknown = new("unknown", -1, static _ => { });

    private readonly CommandTable _commands = KnownCommands.Table;
    private readonly IWriteObserver? _writeWitness = server.Options.WriteWitness;
    private readonly CommandCall _call = new(server);
    private readonly RespWriter _scratch = new();

    public void Execute(ClientConnection client)
    {
        server.Statistics.CommandsProcessed++;
        if (!server.Faults.HasReplyFaults)
        {
            Execute(client, client.Output.Writer);
            return;
        }

        _scratch.Clear();
        Execute(client, _scratch);
        if (_scratch.Length > 0)
            Deliver(client);
    }

    private void Execute(ClientConnection client, RespWriter reply)
    {
        var command = _commands.Find(client.Requests[0]);
        if (command?.Subcommands is { } subcommands && client.Requests.Count > 1)
            command = subcommands.Find(client.Requests[1]) ?? command;
        _call.Begin(client, reply, command ?? Unknown);
        if (command is null)
            _call.Error(UnknownCommand(client.Requests));
        else if (command.Subcommands is not null && client.Requests.Count > 1)
            _call.Error($"ERR unknown subcommand '{_call.Text(1)}'. Try {command.Name.ToUpperInvariant()} HELP.");
        else if (!command.Takes(client.Requests.Count))
            _call.WrongNumberOfArguments();
        else if (client is { Protocol: 2, Channels.Count: > 0 } && !command.IsTakenWhileSubscribed)
            _call.Error(NotWhileSubscribed(command));
        else
            Run(client, command);
    }

    private void Run(ClientConnection client, CommandDescription command)
    {
        command.Handler(_call);
        if (_writeWitness is not null && command.IsWrite)
            _writeWitness.Saw(client.Requests);
    }

    private static string NotWhileSubscribed(CommandDescription command) =>
        $"ERR Can't execute '{command.Name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET "
            + "are allowed in this context";

    private static string UnknownCommand(RespRequestReader words)
    {
        const int longest = 128;
        var text = new StringBuilder("ERR unknown command '")
            .Append(Shown(words[0], longest))
            .Append("', with args beginning with: ");
        var length = 0;
        for (var index = 1; index < words.Count && length < longest; index++)
        {
            var word = Shown(words[index], longest - length);
            text.Append('\'').Append(word).Append("' ");
            length += word.Length + 3;
        }

        return text.ToString();
    }

    /// <summary>An error is one line: Redis replaces line breaks in it by blanks.</summary>
    private static string Shown(ReadOnlySpan<byte> word, int longest) =>
        Encoding.UTF8.GetString(word[..Math.Min(word.Length, longest)]).Replace('\r', ' ').Replace('\n', ' ');

    private void Deliver(ClientConnection client)
    {
        var fault = server.Faults.TakeReplyFault(_call.Command.Bytes);
        var reply = _scratch.Written;
        switch (fault?.Kind)
        {
            case FaultKind.Drop:
                return;
            case FaultKind.Corrupt:
                client.Output.Writer.WriteRaw("\u0001"u8);
                reply = reply[1..];
                break;
            case FaultKind.Delay:
                // What was answered before is not held up.
                client.Output.TrySend(client.Socket);
                client.HeldUntil = TimestampSpan.FromNow(fault.Delay) + 1;
                break;
            case FaultKind.CloseAfter:
                client.ClosesAfterReply = true;
                break;
        }

        client.Output.Writer.WriteRaw(reply);
    }
}
