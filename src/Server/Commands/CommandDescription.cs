using System.Text;

namespace RedisLatency.Server.Commands;

/// <summary>A command that the server knows.</summary>
/// <param name="name">In lower case; a subcommand's has its parent's before it: <c>client|setname</c>.</param>
/// <param name="arity">The number of words with the name; negative means at least so many.</param>
/// <param name="flags">What it is.</param>
/// <param name="handler">What executes it.</param>
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

    /// <summary>How many words lie between one key and the next.</summary>
    public int KeyStep { get; init; }

    /// <summary>Its subcommands, or null.</summary>
    public CommandTable? Subcommands { get; init; }

    public bool Takes(int words) => Arity >= 0 ? words == Arity : words >= -Arity;

    public bool Has(CommandFlags flag) => (Flags & flag) != 0;
}

/// <summary>Executes a command and writes its reply.</summary>
internal delegate void CommandHandler(CommandCall call);
