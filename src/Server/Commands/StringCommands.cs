using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Commands;

internal static class StringCommands
{
    public const CommandFlags Read = CommandFlags.ReadOnly | CommandFlags.Fast;
    public const CommandFlags Write = CommandFlags.Write | CommandFlags.DenyOutOfMemory;
    public const CommandFlags WriteFast = Write | CommandFlags.Fast;

    private const string TooLong = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";

    public static IEnumerable<CommandDescription> All { get; } =
    [
        OneKey("get", 2, Read, static call => call.Value(call.Look(1))),
        OneKey("set", -3, Write, Set),
        OneKey("setnx", 3, WriteFast, SetIfAbsent),
        OneKey("setex", 4, Write, static call => SetWithExpiry(call, ExpiryUnit.Seconds)),
        OneKey("psetex", 4, Write, static call => SetWithExpiry(call, ExpiryUnit.Milliseconds)),
        OneKey("getset", 3, WriteFast, GetAndSet),
        OneKey("getdel", 2, CommandFlags.Write | CommandFlags.Fast, GetAndDelete),
        OneKey("getex", -2, CommandFlags.Write | CommandFlags.Fast, GetAndExpire),
        OneKey("strlen", 2, Read, static call => call.Integer(call.Look(1)?.Length ?? 0)),
        OneKey("append", 3, WriteFast, Append),
        OneKey("setrange", 4, Write, SetRange),
        OneKey("getrange", 4, CommandFlags.ReadOnly, GetRange),
        OneKey("substr", 4, CommandFlags.ReadOnly, GetRange),
        new("mget", -2, Read, GetAll) { FirstKey = 1, LastKey = -1, KeyStep = 1 },
        new("mset", -3, Write, SetAll) { FirstKey = 1, LastKey = -1, KeyStep = 2 },
        new("msetnx", -3, Write, SetAllIfAbsent) { FirstKey = 1, LastKey = -1, KeyStep = 2 },
    ];

    public static CommandDescription OneKey(string name, int arity, CommandFlags flags, CommandHandler handler) =>
        new(name, arity, flags, handler) { FirstKey = 1, LastKey = 1, KeyStep = 1 };

    private static void Set(CommandCall call)
    {
        if (call.Count == 3)
        {
            call.Database.Set(call[1], call[2]);
            call.Ok();
            return;
        }

        if (!SetOptions.TryRead(call, 3, isSet: true, out var options))
            return;
        var old = call.Database.Find(call[1]);
        if (options.ReturnsOld)
            call.Value(old);
        if ((options.OnlyIfAbsent && old is not null) || (options.OnlyIfPresent && old is null))
        {
            if (!options.ReturnsOld)
                call.Null();
            return;
        }

        var entry = call.Database.FindOrAdd(call[1]);
        entry.Assign(call[2]);
        if (!options.KeepsExpiry)
            call.Database.ExpireAt(entry, options.ExpireAt);
        if (!options.ReturnsOld)
            call.Ok();
    }

    private static void SetIfAbsent(CommandCall call)
    {
        var isAbsent = call.Database.Find(call[1]) is null;
        if (isAbsent)
            call.Database.Set(call[1], call[2]);
        call.Integer(isAbsent ? 1 : 0);
    }

    private static void SetWithExpiry(CommandCall call, ExpiryUnit unit)
    {
        if (!Expiry.TryRead(call, 2, unit, mustBePositive: true, out var expireAt))
            return;
        var entry = call.Database.Set(call[1], call[3]);
        call.Database.ExpireAt(entry, expireAt);
        call.Ok();
    }

    private static void GetAndSet(CommandCall call)
    {
        call.Value(call.Look(1));
        call.Database.Set(call[1], call[2]);
    }

    private static void GetAndDelete(CommandCall call)
    {
        call.Value(call.Look(1));
        call.Database.Remove(call[1]);
    }

    private static void GetAndExpire(CommandCall call)
    {
        if (!SetOptions.TryRead(call, 2, isSet: false, out var options))
            return;
        var found = call.Look(1);
        call.Value(found);
        if (found is not null && (options.Persists || options.ExpireAt != StoredString.Never))
            call.Database.ExpireAt(found, options.ExpireAt);
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
        var value = call.Look(1) is { } found ? found.Value : default;
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

/// <summary>Options of SET and GETEX, read as <c>parseExtendedStringArgumentsOrReply</c> of Redis 7.0 does.</summary>
internal ref struct SetOptions
{
    public bool OnlyIfAbsent;
    public bool OnlyIfPresent;
    public bool ReturnsOld;
    public bool KeepsExpiry;
    public bool Persists;

    /// <summary>Milliseconds since the Unix epoch, or <see cref="StoredString.Never"/>.</summary>
    public long ExpireAt;

    /// <summary>Reads the words from one on; where they make no sense, the error has been written.</summary>
    public static bool TryRead(CommandCall call, int from, bool isSet, out SetOptions options)
    {
        options = default;
        var (expiryIndex, unit) = (0, ExpiryUnit.Seconds);
        for (var index = from; index < call.Count; index++)
        {
            var hasExpiry = expiryIndex != 0 || options.KeepsExpiry || options.Persists;
            if (isSet && call.Is(index, "NX"u8) && !options.OnlyIfPresent)
            {
                options.OnlyIfAbsent = true;
            }
            else if (isSet && call.Is(index, "XX"u8) && !options.OnlyIfAbsent)
            {
                options.OnlyIfPresent = true;
            }
            else if (isSet && call.Is(index, "GET"u8))
            {
                options.ReturnsOld = true;
            }
            else if (isSet && call.Is(index, "KEEPTTL"u8) && !hasExpiry)
            {
                options.KeepsExpiry = true;
            }
            else if (!isSet && call.Is(index, "PERSIST"u8) && !hasExpiry)
            {
                options.Persists = true;
            }
            else if (!hasExpiry && index + 1 < call.Count && Expiry.TryReadUnit(call[index], out unit))
            {
                expiryIndex = ++index;
            }
            else
            {
                return call.SyntaxError();
            }
        }

        return expiryIndex == 0 || Expiry.TryRead(call, expiryIndex, unit, mustBePositive: true, out options.ExpireAt);
    }
}
