namespace RedisLatency.Server.Commands;

/// <summary>Many strings at once: MGET, MSET, MSETNX.</summary>
internal static class MultipleKeyCommands
{
    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("mget", -2, StringCommands.Read, GetAll) { FirstKey = 1, LastKey = -1, KeyStep = 1 },
        new("mset", -3, StringCommands.Write, SetAll) { FirstKey = 1, LastKey = -1, KeyStep = 2 },
        new("msetnx", -3, StringCommands.Write, SetAllIfAbsent) { FirstKey = 1, LastKey = -1, KeyStep = 2 },
    ];

    private static void GetAll(CommandCall call)
    {
        call.Reply.WriteArrayHeader(call.Count - 1);
        for (var index = 1; index < call.Count; index++)
            call.Value(call.Look(index));
    }

    private static void SetAll(CommandCall call)
    {
        if (call.Count % 2 == 0)
        {
            call.WrongNumberOfArguments();
            return;
        }

        Assign(call);
        call.Ok();
    }

    private static void SetAllIfAbsent(CommandCall call)
    {
        if (call.Count % 2 == 0)
        {
            call.WrongNumberOfArguments();
            return;
        }

        for (var index = 1; index < call.Count; index += 2)
        {
            if (call.Database.Find(call[index]) is null)
                continue;
            call.Integer(0);
            return;
        }

        Assign(call);
        call.Integer(1);
    }

    private static void Assign(CommandCall call)
    {
        for (var index = 1; index < call.Count; index += 2)
            call.Database.Set(call[index], call[index + 1]);
    }
}
