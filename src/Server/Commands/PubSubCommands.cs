using RedisLatency.Server.Clients;

namespace RedisLatency.Server.Commands;

internal static class PubSubCommands
{
    private const CommandFlags Subscription = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading
        | CommandFlags.Stale | CommandFlags.WhileSubscribed;

    private const CommandFlags Publication =
        CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast;

    private const CommandFlags Question = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("subscribe", -2, Subscription, static call => Subscribe(call, call.Server.Messages.Channels)),
        new("unsubscribe", -1, Subscription, static call => Unsubscribe(call, call.Server.Messages.Channels)),
        new("psubscribe", -2, Subscription, static call => Subscribe(call, call.Server.Messages.Patterns)),
        new("punsubscribe", -1, Subscription, static call => Unsubscribe(call, call.Server.Messages.Patterns)),
        new("ssubscribe", -2, Subscription, static call => Subscribe(call, call.Server.Messages.ShardChannels))
        {
            FirstKey = 1, LastKey = -1, KeyStep = 1,
        },
        new("sunsubscribe", -1, Subscription, static call => Unsubscribe(call, call.Server.Messages.ShardChannels))
        {
            FirstKey = 1, LastKey = -1, KeyStep = 1,
        },
        new("publish", 3, Publication, Publish),
        new("spublish", 3, Publication, PublishToShard) { FirstKey = 1, LastKey = 1, KeyStep = 1 },
        new("pubsub", -2, CommandFlags.None, static _ => { })
        {
            Subcommands = new CommandTable(
            [
                new("pubsub|channels", -2, Question, static call => List(call, call.Server.Messages.Channels)),
                new("pubsub|shardchannels", -2, Question,
                    static call => List(call, call.Server.Messages.ShardChannels)),
                new("pubsub|numsub", -2, Question, static call => CountOf(call, call.Server.Messages.Channels)),
                new("pubsub|shardnumsub", -2, Question,
                    static call => CountOf(call, call.Server.Messages.ShardChannels)),
                new("pubsub|numpat", 2, Question, static call => call.Integer(call.Server.Messages.Patterns.Count)),
            ]),
        },
    ];

    private static void Publish(CommandCall call)
    {
        call.Server.Statistics.MessagesPublished++;
        call.Integer(call.Server.Messages.Publish(call[1], call[2]));
    }

    private static void PublishToShard(CommandCall call)
    {
        call.Server.Statistics.MessagesPublished++;
        call.Integer(call.Server.Messages.PublishToShard(call[1], call[2]));
    }

    private static void Subscribe(CommandCall call, ChannelTable table)
    {
        for (var index = 1; index < call.Count; index++)
        {
            table.Subscribe(call[index], call.Client);
            Confirm(call, table, call[index]);
        }
    }

    private static void Unsubscribe(CommandCall call, ChannelTable table)
    {
        for (var index = 1; index < call.Count; index++)
        {
            table.Unsubscribe(call[index], call.Client);
            Confirm(call, table, call[index]);
        }

        if (call.Count > 1)
            return;
        var own = table.Of(call.Client);
        if (own.Count == 0)
            Confirm(call, table, default, isNone: true);
        foreach (var name in own.ToArray())
        {
            table.Unsubscribe(name, call.Client);
            Confirm(call, table, name);
        }
    }

    /// <summary>Channels and patterns are counted together, shard channels apart, as Redis does.</summary>
    private static void Confirm(CommandCall call, ChannelTable table, ReadOnlySpan<byte> name, bool isNone = false)
    {
        var all = call.Client.Subscriptions;
        call.PushHeader(3);
        call.Reply.WriteBulkString(call.Command.Bytes);
        if (isNone)
            call.Null();
        else
            call.Reply.WriteBulkString(name);
        call.Integer(table == call.Server.Messages.ShardChannels
            ? all.ShardChannels.Count
            : all.Channels.Count + all.Patterns.Count);
    }

    private static void List(CommandCall call, ChannelTable table)
    {
        if (call.Count > 3)
        {
            call.WrongNumberOfArguments();
            return;
        }

        var names = table.All
            .Select(channel => channel.Name)
            .Where(name => call.Count == 2 || GlobPattern.IsMatch(call[2], name))
            .ToArray();
        call.Reply.WriteArrayHeader(names.Length);
        foreach (var name in names)
            call.Reply.WriteBulkString(name);
    }

    private static void CountOf(CommandCall call, ChannelTable table)
    {
        call.Reply.WriteArrayHeader((call.Count - 2) * 2);
        for (var index = 2; index < call.Count; index++)
        {
            call.Reply.WriteBulkString(call[index]);
            call.Integer(table.Find(call[index])?.Subscribers.Count ?? 0);
        }
    }
}
