using System.Text;

namespace RedisLatency.Server.Commands;

internal sealed class CommandTable
{
    private const int LongestName = 64;

    private readonly Dictionary<byte[], CommandDescription> _commands = new(ByteStringComparer.Instance);
    private readonly Dictionary<byte[], CommandDescription>.AlternateLookup<ReadOnlySpan<byte>> _lookup;

    public CommandTable(IEnumerable<CommandDescription> commands)
    {
        foreach (var command in commands)
            _commands.Add(Encoding.UTF8.GetBytes(command.Name[(command.Name.IndexOf('|') + 1)..]), command);
        _lookup = _commands.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    public int Count => _commands.Count;

    public IEnumerable<CommandDescription> All => _commands.Values;

    public CommandDescription? Find(ReadOnlySpan<byte> name)
    {
        if (name.Length > LongestName)
            return null;
        Span<byte> lower = stackalloc byte[LongestName];
        Ascii.ToLower(name, lower, out var length);
        return length == name.Length && _lookup.TryGetValue(lower[..length], out var command) ? command : null;
    }
}

/// <summary>A command, in lower case (<c>client|setname</c>); a negative arity means at least so many words.</summary>
internal sealed class CommandDescription(string name, int arity, CommandFlags flags, CommandHandler handler)
{
    public string Name { get; } = name;

    public byte[] Bytes { get; } = Encoding.UTF8.GetBytes(name);

    public int Arity { get; } = arity;

    public CommandFlags Flags { get; } = flags;

    public CommandHandler Handler { get; } = handler;

    /// <summary>The first word that is a key, or zero.</summary>
    public int FirstKey { get; init; }

    /// <summary>The last word that is a key; negative counts from the end.</summary>
    public int LastKey { get; init; }

    public int KeyStep { get; init; }

    public CommandTable? Subcommands { get; init; }

    public bool Takes(int words) => Arity >= 0 ? words == Arity : words >= -Arity;

    public bool Has(CommandFlags flag) => (Flags & flag) != 0;
}

internal delegate void CommandHandler(CommandCall call);

/// <summary>What a command is, as COMMAND tells it.</summary>
[Flags]
internal enum CommandFlags
{
    None = 0,
    Write = 1,
    ReadOnly = 2,
    DenyOutOfMemory = 4,
    Admin = 8,
    PubSub = 16,
    NoScript = 32,
    Loading = 64,
    Stale = 128,
    Fast = 256,

    NoAuthentication = 512,

    /// <summary>May be run by a RESP2 client that is subscribed; not told by COMMAND.</summary>
    WhileSubscribed = 1024,
}

internal static class KnownCommands
{
    public static CommandTable Table { get; } = new(
    [
        .. ConnectionCommands.All, .. ClientCommands.All, .. PubSubCommands.All,
        .. StringCommands.All, .. NumberCommands.All, .. KeyCommands.All, .. ExpiryCommands.All,
        .. ServerCommands.All, .. ConfigCommands.All, .. CommandCommands.All,
    ]);
}
