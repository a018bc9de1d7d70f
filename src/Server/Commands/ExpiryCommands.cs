namespace RedisLatency.Server.Commands;

internal static class ExpiryCommands
{
    public static IEnumerable<CommandDescription> All { get; } = [new("pexpireat", -3, ExpireAt) { IsWrite = true }];

    // XX: only where the key expires already.
    private static void ExpireAt(CommandCall call)
    {
        if (call.Count > 4 || (call.Count == 4 && !call.Is(3, "XX"u8)))
        {
            call.SyntaxError();
            return;
        }

        if (!call.TryGetInteger(2, out var expireAt))
            return;
        if (call.Database.Find(call[1]) is not { } found || (call.Count == 4 && found.ExpireAt == StoredString.Never))
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
}
