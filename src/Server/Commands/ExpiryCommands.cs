namespace RedisLatency.Server.Commands;

internal static class ExpiryCommands
{
    private const CommandFlags WriteFast = CommandFlags.Write | CommandFlags.Fast;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        StringCommands.OneKey("expire", -3, WriteFast, static call => Expire(call, ExpiryUnit.Seconds)),
        StringCommands.OneKey("pexpire", -3, WriteFast, static call => Expire(call, ExpiryUnit.Milliseconds)),
        StringCommands.OneKey("expireat", -3, WriteFast, static call => Expire(call, ExpiryUnit.AtSeconds)),
        StringCommands.OneKey("pexpireat", -3, WriteFast, static call => Expire(call, ExpiryUnit.AtMilliseconds)),
        StringCommands.OneKey("ttl", 2, StringCommands.Read, static call => Left(call, isRelative: true, 1000)),
        StringCommands.OneKey("pttl", 2, StringCommands.Read, static call => Left(call, isRelative: true, 1)),
        StringCommands.OneKey("expiretime", 2, StringCommands.Read, static call => Left(call, isRelative: false, 1000)),
        StringCommands.OneKey("pexpiretime", 2, StringCommands.Read, static call => Left(call, isRelative: false, 1)),
        StringCommands.OneKey("persist", 2, WriteFast, Persist),
    ];

    private static void Expire(CommandCall call, ExpiryUnit unit)
    {
        var conditions = default(Conditions);
        for (var index = 3; index < call.Count; index++)
        {
            if (!conditions.TryAdd(call, index))
                return;
        }

        if (!conditions.AreCompatible(call) || !Expiry.TryRead(call, 2, unit, mustBePositive: false, out var expireAt))
            return;
        if (call.Database.Find(call[1]) is not { } found || !conditions.Allow(found.ExpireAt, expireAt))
        {
            call.Integer(0);
            return;
        }

        if (expireAt <= call.Server.Clock.Milliseconds)
            call.Database.Remove(call[1]);
        else
            call.Database.ExpireAt(found, expireAt);
        call.Integer(1);
    }

    /// <summary>-2 where the key is missing, -1 where it stays for ever; seconds are rounded, as Redis does.</summary>
    private static void Left(CommandCall call, bool isRelative, int millisecondsPerUnit)
    {
        var found = call.Look(1);
        if (found is null)
        {
            call.Integer(-2);
        }
        else if (found.ExpireAt == StoredString.Never)
        {
            call.Integer(-1);
        }
        else
        {
            var left = isRelative ? Math.Max(found.ExpireAt - call.Server.Clock.Milliseconds, 0) : found.ExpireAt;
            call.Integer((left + (millisecondsPerUnit / 2)) / millisecondsPerUnit);
        }
    }

    private static void Persist(CommandCall call)
    {
        if (call.Database.Find(call[1]) is { } found && found.ExpireAt != StoredString.Never)
        {
            call.Database.ExpireAt(found, StoredString.Never);
            call.Integer(1);
        }
        else
        {
            call.Integer(0);
        }
    }

    private struct Conditions
    {
        private bool _onlyIfNone;
        private bool _onlyIfSome;
        private bool _onlyIfLater;
        private bool _onlyIfSooner;

        public bool TryAdd(CommandCall call, int index)
        {
            if (call.Is(index, "NX"u8))
                return _onlyIfNone = true;
            if (call.Is(index, "XX"u8))
                return _onlyIfSome = true;
            if (call.Is(index, "GT"u8))
                return _onlyIfLater = true;
            if (call.Is(index, "LT"u8))
                return _onlyIfSooner = true;
            return call.Error($"ERR Unsupported option {call.Text(index)}");
        }

        public readonly bool AreCompatible(CommandCall call)
        {
            if (_onlyIfNone && (_onlyIfSome || _onlyIfLater || _onlyIfSooner))
                call.Error("ERR NX and XX, GT or LT options at the same time are not compatible");
            else if (_onlyIfLater && _onlyIfSooner)
                call.Error("ERR GT and LT options at the same time are not compatible");
            else
                return true;
            return false;
        }

        public readonly bool Allow(long present, long asked)
        {
            var isNever = present == StoredString.Never;
            if (_onlyIfNone)
                return isNever;
            return (!_onlyIfSome || !isNever)
                && (!_onlyIfLater || (!isNever && asked > present))
                && (!_onlyIfSooner || isNever || asked < present);
        }
    }
}
