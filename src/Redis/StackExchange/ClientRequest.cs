using System.Buffers.Text;
using Driver = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>One operation with its arguments, ready for the client. What is sent again is the same.</summary>
public readonly struct ClientRequest
{
    private ClientRequest(IReadOnlyList<ClientCommand> commands, object[][] arguments)
    {
        Commands = commands;
        Arguments = arguments;
    }

    private ClientRequest(IReadOnlyList<ClientCommand> commands, Driver.RedisKey key, Driver.RedisValue value)
    {
        Commands = commands;
        (Key, Value) = (key, value);
    }

    internal IReadOnlyList<ClientCommand> Commands { get; }

    /// <summary>The arguments of each; null for a read or a write of one key.</summary>
    internal object[][]? Arguments { get; }

    internal Driver.RedisKey Key { get; }

    internal Driver.RedisValue Value { get; }

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
            var key = (Driver.RedisKey)ReadArgument(ref requests).ToArray();
            return new ClientRequest(
                commands, key, first.IsSet ? ReadArgument(ref requests).ToArray() : Driver.RedisValue.Null);
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
                    ? (Driver.RedisKey)bytes
                    : (Driver.RedisValue)bytes;
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
                command > 0 ? arguments : [(Driver.RedisValue)first, .. arguments[1..]]),
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
