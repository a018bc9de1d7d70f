using RedisLatency.Redis.Commands;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// A command as an application gives it to the client: which arguments are keys decides where a cluster's client sends
/// it. Immutable.
/// </summary>
public sealed class ClientCommand
{
    private readonly bool[] _keys;
    private readonly bool _hasOnlyKeys;

    /// <summary>Describes a command.</summary>
    /// <param name="name">Its first word.</param>
    /// <param name="keys">Which of the arguments behind it are keys; null where all are.</param>
    public ClientCommand(string name, IReadOnlyList<bool>? keys)
    {
        Name = name;
        _keys = [.. keys ?? []];
        _hasOnlyKeys = keys is null;
        IsGet = IsNamed("GET") && _keys is [true];
        IsSet = IsNamed("SET") && _keys is [true, false];
    }

    /// <summary>Its first word.</summary>
    public string Name { get; }

    /// <summary>Whether applications have a method of its own for it: the value of a key.</summary>
    internal bool IsGet { get; }

    /// <summary>Whether applications have a method of its own for it: a key with its value, and nothing else.</summary>
    internal bool IsSet { get; }

    /// <summary>Says why callers that share a connection cannot send these together, or null where they can.</summary>
    /// <param name="commands">The commands of one operation.</param>
    public static string? Problem(IReadOnlyList<ClientCommand> commands)
    {
        var free = IsTransaction(commands) ? commands.Skip(1).SkipLast(1) : commands;
        return free.FirstOrDefault(command => RedisCommands.Has(command.Name, CommandFlags.Session)) is { } stranger
            ? $"{stranger.Name} would change what the other callers of a shared connection do"
            : null;
    }

    /// <summary>Whether they are a transaction from MULTI to EXEC, which the client has an object for.</summary>
    internal static bool IsTransaction(IReadOnlyList<ClientCommand> commands) =>
        commands.Count > 2 && commands[0].IsNamed("MULTI") && commands[^1].IsNamed("EXEC");

    internal bool IsKey(int argument) => _hasOnlyKeys || _keys[argument];

    private bool IsNamed(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
