namespace RedisLatency.Server.Commands;

internal static class PubSubCommands
{
    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("subscribe", -2, Subscribe) { IsTakenWhileSubscribed = true },
        new("unsubscribe", -1, Unsubscribe) { IsTakenWhileSubscribed = true },
        new("publish", 3, static call => call.Integer(call.Server.Messages.Publish(call[1], call[2]))),
        new("pubsub", -2, static _ => { })
        {
            Subcommands = new CommandTable([new("pubsub|numsub", -2, CountSubscribers)]),
        },
    ];

    private static void Subscribe(CommandCall call)
    {
        for (var index = 1; index < call.Count; index++)
        {
            call.Server.Messages.Channels.Subscribe(call[index], call.Client);
            Confirm(call, call[index]);
        }
    }

    private static void Unsubscribe(CommandCall call)
    {
        for (var index = 1; index < call.Count; index++)
            Unsubscribe(call, call[index]);
        if (call.Count > 1)
            return;
        if (call.Client.Channels.Count == 0)
            Confirm(call, default, isNone: true);
        foreach (var name in call.Client.Channels.ToArray())
            Unsubscribe(call, name);
    }

    private static void Unsubscribe(CommandCall call, ReadOnlySpan<byte> name)
    {
        call.Server.Messages.Channels.Unsubscribe(name, call.Client);
        Confirm(call, name);
    }

    private static void Confirm(CommandCall call, ReadOnlySpan<byte> name, bool isNone = false)
    {
        call.PushHeader(3);
        call.Reply.WriteBulkString(call.Command.Bytes);
        if (isNone)
            call.Null();
        else
            call.Reply.WriteBulkString(name);
        call.Integer(call.Client.Channels.Count);
    }

    private static void CountSubscribers(CommandCall call)
    {
        call.Reply.WriteArrayHeader((call.Count - 2) * 2);
        for (var index = 2; index < call.Count; index++)
        {
            call.Reply.WriteBulkString(call[index]);
            call.Integer(call.Server.Messages.Channels.Find(call[index])?.Subscribers.Count ?? 0);
        }
    }
}
