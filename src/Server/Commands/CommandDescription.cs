using System.Text;

namespace RedisLatency.Server.Commands;

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
