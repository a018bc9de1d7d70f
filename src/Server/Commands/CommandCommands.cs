namespace RedisLatency.Server.Commands;

/// <summary>COMMAND: what the server knows, told as far as clients and redis-cli use it.</summary>
internal static class CommandCommands
{
    private const CommandFlags Plain = CommandFlags.Loading | CommandFlags.Stale;

    private static readonly (CommandFlags Flag, string Name)[] FlagNames =
    [
        (CommandFlags.Write, "write"), (CommandFlags.ReadOnly, "readonly"), (CommandFlags.DenyOutOfMemory, "denyoom"),
        (CommandFlags.Admin, "admin"), (CommandFlags.PubSub, "pubsub"), (CommandFlags.NoScript, "noscript"),
        (CommandFlags.Loading, "loading"), (CommandFlags.Stale, "stale"), (CommandFlags.Fast, "fast"),
        (CommandFlags.NoAuthentication, "no_auth"),
    ];

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("command", -1, Plain, DescribeAll)
        {
            Subcommands = new CommandTable(
            [
                new("command|count", 2, Plain, static call => call.Integer(KnownCommands.Table.Count)),
                new("command|docs", -2, Plain, Document),
                new("command|info", -2, Plain, DescribeSome),
                new("command|list", 2, Plain, List),
            ]),
        },
    ];

    private static void DescribeAll(CommandCall call)
    {
        call.Reply.WriteArrayHeader(KnownCommands.Table.Count);
        foreach (var command in KnownCommands.Table.All)
            Describe(call, command);
    }

    private static void DescribeSome(CommandCall call)
    {
        if (call.Count == 2)
        {
            DescribeAll(call);
            return;
        }

        call.Reply.WriteArrayHeader(call.Count - 2);
        for (var index = 2; index < call.Count; index++)
        {
            if (KnownCommands.Table.Find(call[index]) is { } command)
                Describe(call, command);
            else
                call.Null();
        }
    }

    /// <summary>The ten elements of Redis 7: categories, tips, key specifications are left empty.</summary>
    private static void Describe(CommandCall call, CommandDescription command)
    {
        call.Reply.WriteArrayHeader(10);
        call.Reply.WriteBulkString(command.Name);
        call.Integer(command.Arity);
        var flags = FlagNames.Where(flag => command.Has(flag.Flag)).ToArray();
        call.SetHeader(flags.Length);
        foreach (var (_, name) in flags)
            call.Reply.WriteRaw(System.Text.Encoding.ASCII.GetBytes($"+{name}\r\n"));
        call.Integer(command.FirstKey);
        call.Integer(command.LastKey);
        call.Integer(command.KeyStep);
        call.SetHeader(0);
        call.Reply.WriteArrayHeader(0);
        call.Reply.WriteArrayHeader(0);
        call.Reply.WriteArrayHeader(command.Subcommands?.Count ?? 0);
        foreach (var subcommand in command.Subcommands?.All ?? [])
            Describe(call, subcommand);
    }

    /// <summary>No documents are held: redis-cli then completes without hints.</summary>
    private static void Document(CommandCall call) => call.MapHeader(0);

    private static void List(CommandCall call)
    {
        call.Reply.WriteArrayHeader(KnownCommands.Table.Count);
        foreach (var command in KnownCommands.Table.All)
            call.Reply.WriteBulkString(command.Name);
    }
}
