using RedisLatency.Redis.Resp;
using RedisLatency.Server.Clients;

namespace RedisLatency.Server.Commands;

internal static class ConnectionCommands
{
    private const CommandFlags Plain =
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast;

    private const string WrongPassword = "WRONGPASS invalid username-password pair or user is disabled.";

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("hello", -1, Plain | CommandFlags.NoAuthentication, Hello),
        new("auth", -2, Plain | CommandFlags.NoAuthentication, Authenticate),
        new("select", 2, CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, Select),
        new("ping", -1, CommandFlags.Fast | CommandFlags.WhileSubscribed, Ping),
        new("echo", 2, CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, Echo),
        new("quit", -1, Plain | CommandFlags.NoAuthentication | CommandFlags.WhileSubscribed, Quit),
        new("reset", 1, Plain | CommandFlags.NoAuthentication | CommandFlags.WhileSubscribed, Reset),
    ];

    private static void Hello(CommandCall call)
    {
        long protocol = call.Client.Protocol;
        if (call.Count > 1)
        {
            if (!RespRequestReader.TryParse(call[1], out protocol))
            {
                call.Error("ERR Protocol version is not an integer or out of range");
                return;
            }

            if (protocol is < 2 or > 3)
            {
                call.Error("NOPROTO unsupported protocol version");
                return;
            }
        }

        if (!TryReadHelloOptions(call, out var user, out var name))
            return;
        if (user is not null)
            call.Client.Authenticate(user);
        if (call.Client.User is null)
        {
            call.Error("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
                + "AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol "
                + "version at the same time");
            return;
        }

        if (name is not null)
            call.Client.Name = name;
        call.Client.Protocol = (int)protocol;
        Greet(call);
    }

    private static bool TryReadHelloOptions(CommandCall call, out ServerUser? user, out string? name)
    {
        (user, name) = (null, null);
        for (var index = 2; index < call.Count; index++)
        {
            if (call.Is(index, "AUTH"u8) && index + 2 < call.Count)
            {
                user = call.Server.FindUser(call[index + 1], call[index + 2]);
                if (user is null)
                    return call.Error(WrongPassword);

                index += 2;
            }
            else if (call.Is(index, "SETNAME"u8) && index + 1 < call.Count)
            {
                if (!ClientCommands.TryReadName(call, index + 1, out name))
                    return false;
                index++;
            }
            else
            {
                return call.Error($"ERR Syntax error in HELLO option '{call.Text(index)}'");
            }
        }

        return true;
    }

    private static void Greet(CommandCall call)
    {
        call.MapHeader(7);
        Field(call.Reply, "server", "redis");
        Field(call.Reply, "version", ServerCommands.Version);
        call.Reply.WriteBulkString("proto"u8);
        call.Integer(call.Client.Protocol);
        call.Reply.WriteBulkString("id"u8);
        call.Integer(call.Client.Id);
        Field(call.Reply, "mode", "standalone");
        Field(call.Reply, "role", "master");
        call.Reply.WriteBulkString("modules"u8);
        call.Reply.WriteArrayHeader(0);
    }

    private static void Field(RespWriter writer, string name, string value)
    {
        writer.WriteBulkString(name);
        writer.WriteBulkString(value);
    }

    private static void Authenticate(CommandCall call)
    {
        if (call.Count > 3)
        {
            call.SyntaxError();
            return;
        }

        if (call.Count == 2 && call.Server.DefaultUser.Password is null)
        {
            call.Error("ERR AUTH <password> called without any password configured for the default user. "
                + "Are you sure your configuration is correct?");
            return;
        }

        var user = call.Count == 2
            ? call.Server.FindUser("default"u8, call[1])
            : call.Server.FindUser(call[1], call[2]);
        if (user is null)
        {
            call.Error(WrongPassword);
            return;
        }

        call.Client.Authenticate(user);
        call.Ok();
    }

    private static void Select(CommandCall call)
    {
        if (!call.TryGetInteger(1, out var index))
            return;
        if (index is < int.MinValue or > int.MaxValue)
        {
            call.Error("ERR value is out of range, value must between -2147483648 and 2147483647");
        }
        else if (index < 0 || index >= call.Server.Databases.Length)
        {
            call.Error("ERR DB index is out of range");
        }
        else
        {
            call.Client.Database = (int)index;
            call.Ok();
        }
    }

    private static void Ping(CommandCall call)
    {
        if (call.Count > 2)
        {
            call.WrongNumberOfArguments();
        }
        else if (call.Client.Protocol == 2 && call.Client.Subscriptions.Count > 0)
        {
            call.Reply.WriteRaw("*2\r\n$4\r\npong\r\n"u8);
            call.Reply.WriteBulkString(call.Count == 2 ? call[1] : default);
        }
        else if (call.Count == 2)
        {
            call.Reply.WriteBulkString(call[1]);
        }
        else
        {
            call.Reply.WriteRaw("+PONG\r\n"u8);
        }
    }

    private static void Echo(CommandCall call) => call.Reply.WriteBulkString(call[1]);

    private static void Quit(CommandCall call)
    {
        call.Ok();
        call.Client.ClosesAfterReply = true;
    }

    private static void Reset(CommandCall call)
    {
        var client = call.Client;
        call.Server.Messages.Forget(client);
        client.Name = string.Empty;
        client.Database = 0;
        client.Protocol = 2;
        client.ReplyMode = Clients.ReplyMode.On;
        client.Authenticate(call.Server.DefaultUser.Password is null ? call.Server.DefaultUser : null);
        call.Reply.WriteSimpleString("RESET"u8);
    }
}
