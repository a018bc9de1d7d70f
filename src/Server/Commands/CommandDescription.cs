using System.Text;

namespace RedisLatency.Server.Commands;

/// <summary>A command, in lower case (<c>client|setname</c>); a negative arity means at least so many words.</summary>
internal sealed class CommandDescription(string name, int arity, CommandHandler handler)
{
    public string Name { get; } = name;

    public byte[] Bytes { get; } = Encoding.UTF8.GetBytes(name);

    public CommandHandler Handler { get; } = handler;

    public bool IsWrite { get; init; }

    /// <summary>May be run by a RESP2 client that is subscribed.</summary>
    public bool IsTakenWhileSubscribed { get; init; }

    public CommandTable? Subcommands { get; init; }

    public bool Takes(int words) => arity >= 0 ? words == arity : words >= -arity;
}
