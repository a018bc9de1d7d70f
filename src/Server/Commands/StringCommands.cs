using System.Buffers.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Commands;

internal static class StringCommands
{
    private const string TooLong = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("get", 2, static call => call.Value(call.Find(1))),
        new("set", -3, Set) { IsWrite = true },
        new("setex", 4, SetWithExpiry) { IsWrite = true },
        new("getdel", 2, GetAndDelete) { IsWrite = true },
        new("getex", -2, GetAndExpire) { IsWrite = true },
        new("append", 3, Append) { IsWrite = true },
        new("setrange", 4, SetRange) { IsWrite = true },
        new("getrange", 4, GetRange),
        new("incr", 2, Increment) { IsWrite = true },
        new("mget", -2, GetAll),
        new("mset", -3, SetAll) { IsWrite = true },
    ];

    private static void Set(CommandCall call)
    {
        if (call.Count == 3)
        {
            call.Database.Set(call[1], call[2]);
            call.Ok();
            return;
        }

        if (!Expiry.TryRead(call, 3, out var expireAt))
            return;
        call.Database.ExpireAt(call.Database.Set(call[1], call[2]), expireAt);
        call.Ok();
    }

    private static void SetWithExpiry(CommandCall call)
    {
        if (!Expiry.TryRead(call, 2, ExpiryUnit.Seconds, out var expireAt))
            return;
        call.Database.ExpireAt(call.Database.Set(call[1], call[3]), expireAt);
        call.Ok();
    }

    private static void GetAndDelete(CommandCall call)
    {
        call.Value(call.Find(1));
        call.Database.Remove(call[1]);
    }

    private static void GetAndExpire(CommandCall call)
    {
        if (!Expiry.TryRead(call, 2, out var expireAt))
            return;
        var found = call.Find(1);
        call.Value(found);
        if (found is not null && expireAt != StoredString.Never)
            call.Database.ExpireAt(found, expireAt);
    }

    private static void Increment(CommandCall call)
    {
        var number = 0L;
        if (call.Database.Find(call[1]) is { } found && !RespRequestReader.TryParse(found.Value, out number))
        {
            call.NotAnInteger();
            return;
        }

        if (number == long.MaxValue)
        {
            call.Error("ERR increment or decrement would overflow");
            return;
        }

        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(++number, digits, out var length);
        call.Database.FindOrAdd(call[1]).Assign(digits[..length]);
        call.Integer(number);
    }

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
        var value = call.Find(1) is { } found ? found.Value : default;
        if (start < 0 && end < 0 && start > end)
        {
            call.Reply.WriteBulkString(ReadOnlySpan<byte>.Empty);
            return;
        }

        start = Math.Max(start < 0 ? value.Length + start : start, 0);
        end = Math.Min(Math.Max(end < 0 ? value.Length + end : end, 0), value.Length - 1);
        call.Reply.WriteBulkString(start > end || value.IsEmpty ? default : value[(int)start..((int)end + 1)]);
    }

    private static void GetAll(CommandCall call)
    {
        call.Reply.WriteArrayHeader(call.Count - 1);
        for (var index = 1; index < call.Count; index++)
            call.Value(call.Find(index));
    }

    private static void SetAll(CommandCall call)
    {
        if (call.Count % 2 == 0)
        {
            call.WrongNumberOfArguments();
            return;
        }

        for (var index = 1; index < call.Count; index += 2)
            call.Database.Set(call[index], call[index + 1]);
        call.Ok();
    }
}
