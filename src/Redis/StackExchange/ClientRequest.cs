using System.Buffers.Text;
using Client = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>One operation with its arguments, ready for the client. What is sent again is the same.</summary>
public readonly struct ClientRequest
{
    private ClientRequest(IReadOnlyList<ClientCommand> commands, object[][] arguments)
    {
        Commands = commands;
        Arguments = arguments;
    }

    private ClientRequest(IReadOnlyList<ClientCommand> commands, Client.RedisKey key, Client.RedisValue value)
    {
        Commands = commands;
        (Key, Value) = (key, value);
    }

    internal IReadOnlyList<ClientCommand> Commands { get; }

    /// <summary>The arguments of each; null for a read or a write of one key.</summary>
    internal object[][]? Arguments { get; }

    internal Client.RedisKey Key { get; }

    internal Client.RedisValue Value { get; }

    /// <summary>Takes the arguments out of requests in RESP.</summary>
    /// <param name="commands">The commands, in the order of the requests; the list is kept.</param>
    /// <param name="requests">As they would go over the wire: arrays of bulk strings.</param>
    public static ClientRequest Read(IReadOnlyList<ClientCommand> commands, ReadOnlySpan<byte> requests)
    {
        var first = commands[0];
        if (commands.Count == 1 && (first.IsGet || first.IsSet))
        {
            _ = ReadNumber(ref requests);
            _ = ReadArgument(ref requests);
            var key = (Client.RedisKey)ReadArgument(ref requests).ToArray();
            return new ClientRequest(
                commands, key, first.IsSet ? ReadArgument(ref requests).ToArray() : Client.RedisValue.Null);
        }

        var arguments = new object[commands.Count][];
        for (var command = 0; command < commands.Count; command++)
        {
            arguments[command] = new object[ReadNumber(ref requests) - 1];
            _ = ReadArgument(ref requests);
            for (var argument = 0; argument < arguments[command].Length; argument++)
            {
                var bytes = ReadArgument(ref requests).ToArray();
                arguments[command][argument] = commands[command].IsKey(argument)
                    ? (Client.RedisKey)bytes
                    : (Client.RedisValue)bytes;
            }
        }

        return new ClientRequest(commands, arguments);
    }

    /// <summary>The same arguments of other commands, but for the first one of the first.</summary>
    /// <param name="commands">The commands; the list is kept.</param>
    /// <param name="first">What the first argument is now.</param>
    public ClientRequest Replacing(IReadOnlyList<ClientCommand> commands, byte[] first) => new(
        commands,
        [
            .. Arguments!.Select((arguments, command) =>
                command > 0 ? arguments : [(Client.RedisValue)first, .. arguments[1..]]),
        ]);

    private static ReadOnlySpan<byte> ReadArgument(ref ReadOnlySpan<byte> requests)
    {
        var length = ReadNumber(ref requests);
        var argument = requests[..length];
        requests = requests[(length + 2)..];
        return argument;
    }

    // The number behind the type of an array or a bulk string, and the line's end.
    private static int ReadNumber(ref ReadOnlySpan<byte> requests)
    {
        if (!Utf8Parser.TryParse(requests[1..], out int number, out var digits))
            throw new FormatException("a request is an array of bulk strings");
        requests = requests[(1 + digits + 2)..];
        return number;
    }
}

/// <summary>
/// A command as an application gives it to the client: which arguments are keys decides where a cluster's client sends
/// it. Immutable.
/// </summary>
public sealed class ClientCommand
{
    /// <summary>
    /// What a connection that callers share cannot be told: it changes what the others' commands mean.
    /// </summary>
    private static readonly HashSet<string> OfOneCaller = new(StringComparer.OrdinalIgnoreCase)
    {
        "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE",
        "PUNSUBSCRIBE", "SUNSUBSCRIBE", "MONITOR", "SELECT", "AUTH", "HELLO", "RESET", "QUIT", "CLIENT", "ASKING",
        "READONLY", "READWRITE", "SYNC", "PSYNC",
    };

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
        return free.FirstOrDefault(command => OfOneCaller.Contains(command.Name)) is { } stranger
            ? $"{stranger.Name} would change what the other callers of a shared connection do"
            : null;
    }

    /// <summary>Whether they are a transaction from MULTI to EXEC, which the client has an object for.</summary>
    internal static bool IsTransaction(IReadOnlyList<ClientCommand> commands) =>
        commands.Count > 2 && commands[0].IsNamed("MULTI") && commands[^1].IsNamed("EXEC");

    internal bool IsKey(int argument) => _hasOnlyKeys || _keys[argument];

    private bool IsNamed(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
