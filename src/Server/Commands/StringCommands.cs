namespace RedisLatency.Server.Commands;

internal static partial class StringCommands
{
    private const CommandFlags Read = CommandFlags.ReadOnly | CommandFlags.Fast;
    private const CommandFlags WriteFast = CommandFlags.Write | CommandFlags.DenyOutOfMemory | CommandFlags.Fast;
    private const CommandFlags Write = CommandFlags.Write | CommandFlags.DenyOutOfMemory;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        OneKey("get", 2, Read, Get),
        OneKey("set", -3, Write, Set),
    ];

    private static CommandDescription OneKey(string name, int arity, CommandFlags flags, CommandHandler handler) =>
        new(name, arity, flags, handler) { FirstKey = 1, LastKey = 1, KeyStep = 1 };

    private static void Get(CommandCall call) => call.Value(call.Look(1));

    private static void Set(CommandCall call)
    {
        call.Database.Set(call[1], call[2]);
        call.Ok();
    }
}
