using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Commands;

/// <summary>Parts of strings: APPEND, SETRANGE, GETRANGE.</summary>
internal static class SubstringCommands
{
    private const string TooLong = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";

    public static IEnumerable<CommandDescription> All { get; } =
    [
        StringCommands.OneKey("append", 3, StringCommands.WriteFast, Append),
        StringCommands.OneKey("setrange", 4, StringCommands.Write, SetRange),
        StringCommands.OneKey("getrange", 4, CommandFlags.ReadOnly, GetRange),
        StringCommands.OneKey("substr", 4, CommandFlags.ReadOnly, GetRange),
    ];

    private static void Append(CommandCall call)
    {
        var length = call.Database.Find(call[1])?.Length ?? 0;
        if (length + (long)call[2].Length > RespRequestReader.MaxBulkLength)
        {
            call.Error(TooLong);
            return;
        }

        var entry = call.Database.FindOrAdd(call[1]);
        entry.Overwrite(length, call[2]);
        call.Integer(entry.Length);
    }

    private static void SetRange(CommandCall call)
    {
        if (!call.TryGetInteger(2, out var offset))
            return;
        if (offset < 0)
        {
            call.Error("ERR offset is out of range");
            return;
        }

        var part = call[3];
        if (part.IsEmpty)
        {
            call.Integer(call.Database.Find(call[1])?.Length ?? 0);
        }
        else if (offset > RespRequestReader.MaxBulkLength - part.Length)
        {
            call.Error(TooLong);
        }
        else
        {
            var entry = call.Database.FindOrAdd(call[1]);
            entry.Overwrite((int)offset, part);
            call.Integer(entry.Length);
        }
    }

    private static void GetRange(CommandCall call)
    {
        if (!call.TryGetInteger(2, out var start) || !call.TryGetInteger(3, out var end))
            return;
        var value = call.Look(1) is { } found ? found.Value : default;
        if (start < 0 && end < 0 && start > end)
        {
            call.Reply.WriteBulkString(ReadOnlySpan<byte>.Empty);
            return;
        }

        start = Math.Max(start < 0 ? value.Length + start : start, 0);
        end = Math.Min(Math.Max(end < 0 ? value.Length + end : end, 0), value.Length - 1);
        call.Reply.WriteBulkString(
            start > end || value.IsEmpty ? default : value[(int)start..((int)end + 1)]);
    }
}
