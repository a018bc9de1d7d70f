using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Clients;

namespace RedisLatency.Server.Commands;

/// <summary>
/// Finds, checks and executes the command that a client sent, in the order of <c>processCommand</c> of Redis 7.0:
/// its existence, its words, authentication, rights, subscription.
/// </summary>
internal sealed class CommandDispatcher(ServerState server)
{
    private static readonly CommandDescription Unknown = new("unknown", -1, CommandFlags.None, static _ => { });

    private readonly CommandTable _commands = KnownCommands.Table;
    private readonly IWriteWitness? _writeWitness = server.Options.WriteWitness;
    private readonly CommandCall _call = new(server);
    private readonly RespWriter _scratch = new();

    public void Execute(ClientConnection client)
    {
        server.Statistics.CommandsProcessed++;
        var mode = client.ReplyMode;
        if (mode == ReplyMode.On && !server.Faults.HasReplyFaults)
        {
            Execute(client, client.Output.Writer);
            return;
        }

        _scratch.Clear();
        Execute(client, _scratch);
        if (mode == ReplyMode.SkipNext && client.ReplyMode == ReplyMode.SkipNext)
            client.ReplyMode = ReplyMode.On;
        else if (client.ReplyMode == ReplyMode.On && _scratch.Length > 0)
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
        else if (Refusal(client, command) is { } refusal)
            _call.Error(refusal);
        else
            Run(client, command);
    }

    private void Run(ClientConnection client, CommandDescription command)
    {
        client.LastCommand = command.Name;
        command.Handler(_call);
        if (_writeWitness is not null && command.Has(CommandFlags.Write))
            _writeWitness.Saw(client.Requests);
    }

    private static string? Refusal(ClientConnection client, CommandDescription command)
    {
        if (client.User is null)
            return command.Has(CommandFlags.NoAuthentication) ? null : "NOAUTH Authentication required.";
        if (client.User.DeniedCommands.Count > 0 && IsDenied(client.User, command))
            return $"NOPERM this user has no permissions to run the '{command.Name}' command";
        if (client.Protocol == 2 && client.Subscriptions.Count > 0 && !command.Has(CommandFlags.WhileSubscribed))
        {
            return $"ERR Can't execute '{command.Name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET "
                + "are allowed in this context";
        }

        return null;
    }

    private static bool IsDenied(ServerUser user, CommandDescription command) =>
        user.DeniedCommands.Contains(command.Name, StringComparer.OrdinalIgnoreCase);

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
