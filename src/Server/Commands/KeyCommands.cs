namespace RedisLatency.Server.Commands;

internal static class KeyCommands
{
    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("del", -2, CommandFlags.Write, Delete) { FirstKey = 1, LastKey = -1, KeyStep = 1 },
        new("unlink", -2, CommandFlags.Write | CommandFlags.Fast, Delete) { FirstKey = 1, LastKey = -1, KeyStep = 1 },
        new("exists", -2, StringCommands.Read, Exist) { FirstKey = 1, LastKey = -1, KeyStep = 1 },
        StringCommands.OneKey("type", 2, StringCommands.Read, TypeOf),
        new("rename", 3, CommandFlags.Write, Rename) { FirstKey = 1, LastKey = 2, KeyStep = 1 },
        new("renamenx", 3, CommandFlags.Write | CommandFlags.Fast, RenameIfAbsent)
        {
            FirstKey = 1, LastKey = 2, KeyStep = 1,
        },
        new("keys", 2, CommandFlags.ReadOnly, Keys),
        new("scan", -2, CommandFlags.ReadOnly, Scan),
        new("dbsize", 1, StringCommands.Read, static call => call.Integer(call.Database.Count)),
        new("flushdb", -1, CommandFlags.Write, static call => Flush(call, [call.Database])),
        new("flushall", -1, CommandFlags.Write, static call => Flush(call, call.Server.Databases)),
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
            found += call.Look(index) is null ? 0 : 1;
        call.Integer(found);
    }

    private static void TypeOf(CommandCall call) =>
        call.Reply.WriteRaw(call.Database.Find(call[1]) is null ? "+none\r\n"u8 : "+string\r\n"u8);

    private static void Rename(CommandCall call)
    {
        if (TryMove(call))
            call.Ok();
    }

    private static void RenameIfAbsent(CommandCall call)
    {
        if (call.Database.Find(call[1]) is not null && call.Database.Find(call[2]) is not null)
            call.Integer(0);
        else if (TryMove(call))
            call.Integer(1);
    }

    private static bool TryMove(CommandCall call)
    {
        if (call.Database.Find(call[1]) is not { } source)
            return call.Error("ERR no such key");

        if (call[1].SequenceEqual(call[2]))
            return true;
        var expireAt = source.ExpireAt;
        var target = call.Database.Set(call[2], source.Value);
        call.Database.ExpireAt(target, expireAt);
        call.Database.Remove(call[1]);
        return true;
    }

    private static void Keys(CommandCall call)
    {
        var found = new List<byte[]>();
        for (var slot = 0; slot < call.Database.SlotCount; slot++)
        {
            if (call.Database.InSlot(slot) is { } entry && GlobPattern.IsMatch(call[1], entry.Key))
                found.Add(entry.Key);
        }

        Write(call, found);
    }

    private static void Scan(CommandCall call)
    {
        if (!ulong.TryParse(call[1], out var cursor))
        {
            call.Error("ERR invalid cursor");
            return;
        }

        if (!TryReadScanOptions(call, out var count, out var patternIndex, out var isOfType))
            return;
        var found = new List<byte[]>();
        var slot = (int)Math.Min(cursor, (ulong)call.Database.SlotCount);
        for (var seen = 0L; slot < call.Database.SlotCount && seen < count; slot++, seen++)
        {
            if (isOfType && call.Database.InSlot(slot) is { } entry
                && (patternIndex == 0 || GlobPattern.IsMatch(call[patternIndex], entry.Key)))
            {
                found.Add(entry.Key);
            }
        }

        call.Reply.WriteArrayHeader(2);
        call.Reply.WriteBulkString(slot < call.Database.SlotCount ? slot : 0L);
        Write(call, found);
    }

    private static bool TryReadScanOptions(CommandCall call, out long count, out int patternIndex, out bool isOfType)
    {
        (count, patternIndex, isOfType) = (10, 0, true);
        for (var index = 2; index < call.Count; index += 2)
        {
            var hasValue = index + 1 < call.Count;
            if (hasValue && call.Is(index, "COUNT"u8))
            {
                if (!call.TryGetInteger(index + 1, out count))
                    return false;
                if (count < 1)
                    return call.SyntaxError();
            }
            else if (hasValue && call.Is(index, "MATCH"u8))
            {
                patternIndex = index + 1;
            }
            else if (hasValue && call.Is(index, "TYPE"u8))
            {
                isOfType = call.Is(index + 1, "STRING"u8);
            }
            else
            {
                return call.SyntaxError();
            }
        }

        return true;
    }

    private static void Write(CommandCall call, List<byte[]> keys)
    {
        call.Reply.WriteArrayHeader(keys.Count);
        foreach (var key in keys)
            call.Reply.WriteBulkString(key);
    }

    private static void Flush(CommandCall call, Database[] databases)
    {
        if (call.Count > 2 || (call.Count == 2 && !call.Is(1, "ASYNC"u8) && !call.Is(1, "SYNC"u8)))
        {
            call.SyntaxError();
            return;
        }

        foreach (var database in databases)
            database.Clear();
        call.Ok();
    }
}
