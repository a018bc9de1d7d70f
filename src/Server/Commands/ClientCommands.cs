using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Clients;

namespace RedisLatency.Server.Commands;

internal static class ClientCommands
{
    private const CommandFlags Plain = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("client", -2, CommandFlags.None, static _ => { })
        {
            Subcommands = new CommandTable(
            [
                new("client|setname", 3, Plain, SetName),
                new("client|getname", 2, Plain, GetName),
                new("client|setinfo", 4, Plain, SetLibrary),
                new("client|id", 2, Plain, static call => call.Integer(call.Client.Id)),
                new("client|info", 2, Plain, Describe),
                new("client|list", -2, Plain | CommandFlags.Admin, List),
                new("client|reply", 3, Plain, SetReplyMode),
                new("client|kill", -3, Plain | CommandFlags.Admin, Kill),
                new("client|no-evict", 3, Plain | CommandFlags.Admin, NoEvict),
            ]),
        },
        new("acl", -2, CommandFlags.None, static _ => { })
        {
            Subcommands = new CommandTable([new("acl|whoami", 2, Plain, WhoAmI)]),
        },
    ];

    /// <summary>Reads a client's name; where it has a blank or worse in it, the error has been written.</summary>
    public static bool TryReadName(CommandCall call, int index, out string? name)
    {
        name = null;
        foreach (var letter in call[index])
        {
            if (letter is >= (byte)'!' and <= (byte)'~')
                continue;
            return call.Error("ERR Client names cannot contain spaces, newlines or special characters.");
        }

        name = Encoding.ASCII.GetString(call[index]);
        return true;
    }

    private static void SetName(CommandCall call)
    {
        if (!TryReadName(call, 2, out var name))
            return;
        call.Client.Name = name!;
        call.Ok();
    }

    private static void GetName(CommandCall call)
    {
        if (call.Client.Name.Length == 0)
            call.Null();
        else
            call.Reply.WriteBulkString(call.Client.Name);
    }

    private static void SetLibrary(CommandCall call)
    {
        if (call.Is(2, "LIB-NAME"u8))
        {
            call.Client.LibraryName = call.Text(3);
        }
        else if (call.Is(2, "LIB-VER"u8))
        {
            call.Client.LibraryVersion = call.Text(3);
        }
        else
        {
            call.Error($"ERR Unrecognized option '{call.Text(2)}'");
            return;
        }

        call.Ok();
    }

    private static void Describe(CommandCall call) =>
        call.Verbatim(call.Client.Describe(call.Server.Clock.Milliseconds) + "\n");

    private static void List(CommandCall call)
    {
        if (call.Count > 2)
        {
            call.SyntaxError();
            return;
        }

        var lines = new StringBuilder();
        foreach (var client in call.Server.Clients)
        {
            if (client is { ClosesNow: false })
                lines.Append(client.Describe(call.Server.Clock.Milliseconds)).Append('\n');
        }

        call.Verbatim(lines.ToString());
    }

    private static void SetReplyMode(CommandCall call)
    {
        if (call.Is(2, "ON"u8))
        {
            call.Client.ReplyMode = ReplyMode.On;
            call.Ok();
        }
        else if (call.Is(2, "OFF"u8))
        {
            call.Client.ReplyMode = ReplyMode.Off;
        }
        else if (call.Is(2, "SKIP"u8))
        {
            if (call.Client.ReplyMode == ReplyMode.On)
                call.Client.ReplyMode = ReplyMode.SkipNext;
        }
        else
        {
            call.SyntaxError();
        }
    }

    /// <summary>By address, as CLIENT KILL was of old, or by ID, ADDR, LADDR and USER.</summary>
    private static void Kill(CommandCall call)
    {
        if (call.Count == 3)
        {
            var address = call.Text(2);
            var found = Find(call, client => client.Address == address);
            if (found.Count == 0)
                call.Error("ERR No such client");
            else
                call.Ok();
            Close(call, found);
            return;
        }

        if (call.Count % 2 != 0)
        {
            call.SyntaxError();
            return;
        }

        if (TryReadFilters(call) is not { } matches)
            return;
        var killed = Find(call, matches);
        call.Integer(killed.Count);
        Close(call, killed);
    }

    private static Predicate<ClientConnection>? TryReadFilters(CommandCall call)
    {
        var filters = new List<Predicate<ClientConnection>>();
        var skipsMe = true;
        for (var index = 2; index < call.Count; index += 2)
        {
            var value = call.Text(index + 1);
            var name = call.Text(index).ToUpperInvariant();
            if (name == "SKIPME")
            {
                skipsMe = call.Is(index + 1, "YES"u8);
                continue;
            }

            var id = 0L;
            if (name == "ID" && (!RespRequestReader.TryParse(call[index + 1], out id) || id <= 0))
            {
                call.Error("ERR client-id should be greater than 0");
                return null;
            }

            Predicate<ClientConnection>? filter = name switch
            {
                "ID" => client => client.Id == id,
                "ADDR" => client => client.Address == value,
                "LADDR" => client => client.LocalAddress == value,
                "USER" => client => client.User?.Name == value,
                "TYPE" => client => (client.Subscriptions.Count > 0 ? "pubsub" : "normal") == value,
                _ => null,
            };
            if (filter is null)
            {
                call.SyntaxError();
                return null;
            }

            filters.Add(filter);
        }

        var me = call.Client;
        return client => (!skipsMe || client != me) && filters.TrueForAll(filter => filter(client));
    }

    private static List<ClientConnection> Find(CommandCall call, Predicate<ClientConnection> matches) =>
        [.. call.Server.Clients.OfType<ClientConnection>().Where(client => !client.ClosesNow && matches(client))];

    private static void Close(CommandCall call, List<ClientConnection> clients)
    {
        foreach (var client in clients)
        {
            if (client == call.Client)
                client.ClosesAfterReply = true;
            else
                client.ClosesNow = true;
            call.Server.Flushes.Add(client);
        }
    }

    private static void NoEvict(CommandCall call)
    {
        if (call.Is(2, "ON"u8) || call.Is(2, "OFF"u8))
            call.Ok();
        else
            call.SyntaxError();
    }

    private static void WhoAmI(CommandCall call) => call.Reply.WriteBulkString(call.Client.User!.Name);
}
