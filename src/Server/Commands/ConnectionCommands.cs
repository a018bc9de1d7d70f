using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Commands;

internal static class ConnectionCommands
{
    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("hello", -1, Hello),
        new("client", -2, static _ => { })
        {
            Subcommands = new CommandTable(
            [
                new("client|setname", 3, static call => call.Ok()),
                new("client|setinfo", 4, static call => call.Ok()),
                new("client|id", 2, static call => call.Integer(call.Client.Id)),
            ]),
        },
        new("acl", -2, static _ => { })
        {
            Subcommands = new CommandTable(
                [new("acl|whoami", 2, static call => call.Reply.WriteBulkString("default"u8))]),
        },
        new("select", 2, Select),
        new("ping", -1, Ping) { IsTakenWhileSubscribed = true },
        new("echo", 2, static call => call.Reply.WriteBulkString(call[1])),
        new("quit", -1, Quit) { IsTakenWhileSubscribed = true },
    ];

    private static void Hello(CommandCall call)
    {
        long protocol = call.Client.Protocol;
        if (call.Count > 1 && !RespRequestReader.TryParse(call[1], out protocol))
        {
            call.Error("ERR Protocol version is not an integer or out of range");
        }
        else if (protocol is < 2 or > 3)
        {
            call.Error("NOPROTO unsupported protocol version");
        }
        else if (call.Count > 2 && !(call.Count == 4 && call.Is(2, "SETNAME"u8)))
        {
            call.Error($"ERR Syntax error in HELLO option '{call.Text(2)}'");
        }
        else
        {
            call.Client.Protocol = (int)protocol;
            Greet(call);
        }
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

    // There is one database.
    private static void Select(CommandCall call)
    {
        if (!call.TryGetInteger(1, out var index))
            return;
        if (index == 0)
            call.Ok();
        else
            call.Error("ERR DB index is out of range");
    }

    private static void Ping(CommandCall call)
    {
        if (call.Count > 2)
        {
            call.WrongNumberOfArguments();
        }
        else if (call.Client is { Protocol: 2, Channels.Count: > 0 })
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

    private static void Quit(CommandCall call)
    {
        call.Ok();
        call.Client.ClosesAfterReply = true;
    }
}
