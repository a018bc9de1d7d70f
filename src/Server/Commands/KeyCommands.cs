namespace RedisLatency.Server.Commands;

internal static class KeyCommands
{
    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("del", -2, Delete) { IsWrite = true },
        new("unlink", -2, Delete) { IsWrite = true },
        new("exists", -2, Exist),
        new("type", 2, TypeOf),
        new("scan", -2, Scan),
        new("dbsize", 1, static call => call.Integer(call.Database.Count)),
    ];

    private static void Delete(CommandCall call)
    {
        var deleted = 0;
        for (var index = 1; index < call.Count; index++)
            deleted += call.Database.Remove(call[index]) ? 1 : 0;
        call.Integer(deleted);
    }

    private static void Exist(CommandCall call)
    {
        var found = 0;
        for (var index = 1; index < call.Count; index++)
            found += call.Find(index) is null ? 0 : 1;
        call.Integer(found);
    }

    private static void TypeOf(CommandCall call) =>
        call.Reply.WriteRaw(call.Database.Find(call[1]) is null ? "+none\r\n"u8 : "+string\r\n"u8);

    private static void Scan(CommandCall call)
    {
        if (!ulong.TryParse(call[1], out var cursor))
        {
            call.Error("ERR invalid cursor");
            return;
        }

        var count = 10L;
        if (call.Count > 2 && !TryReadCount(call, out count))
            return;
        var found = new List<byte[]>();
        var slot = (int)Math.Min(cursor, (ulong)call.Database.SlotCount);
        for (var seen = 0L; slot < call.Database.SlotCount && seen < count; slot++, seen++)
        {
            if (call.Database.InSlot(slot) is { } entry)
                found.Add(entry.Key);
        }

        call.Reply.WriteArrayHeader(2);
        call.Reply.WriteBulkString(slot < call.Database.SlotCount ? slot : 0L);
        call.Reply.WriteArrayHeader(found.Count);
        foreach (var key in found)
            call.Reply.WriteBulkString(key);
    }

    private static bool TryReadCount(CommandCall call, out long count)
    {
        count = 0;
        return call.Count == 4 && call.Is(2, "COUNT"u8)
            ? call.TryGetInteger(3, out count) && (count > 0 || call.SyntaxError())
            : call.SyntaxError();
    }
}
