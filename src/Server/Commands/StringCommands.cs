using RedisLatency.Server.Keyspace;

namespace RedisLatency.Server.Commands;

/// <summary>Strings as whole values; parts, numbers and many keys at once have files of their own.</summary>
internal static class StringCommands
{
    public const CommandFlags Read = CommandFlags.ReadOnly | CommandFlags.Fast;
    public const CommandFlags Write = CommandFlags.Write | CommandFlags.DenyOutOfMemory;
    public const CommandFlags WriteFast = Write | CommandFlags.Fast;

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
}
