using System.Text;

namespace RedisLatency.Redis.Resp;

/// <summary>The ways in which bytes fail to be RESP, each with a message that says what came.</summary>
internal static class RespFault
{
    private const int ShownBytes = 40;

    public static RedisProtocolException UnknownType(ReadOnlySpan<byte> bytes)
    {
        var shown = Show(bytes);
        if (bytes.StartsWith("HTTP/"u8))
            return new($"an HTTP server answered ({shown}), not Redis");
        if (bytes is [0x15, 0x03, ..])
            return new("the answer is TLS (an alert): this port speaks TLS, use rediss://");
        if (bytes is [0x16, 0x03, ..])
            return new("the answer is TLS (a handshake): this port speaks TLS, use rediss://");
        if (bytes[0] is (byte)';' or (byte)'.')
            return new("streamed RESP3 types are not supported");
        if (bytes.StartsWith("ERROR\r\n"u8))
            return new("the answer is ERROR without a leading minus: memcached speaks so, Redis does not");
        return new($"the answer begins with {shown}, which is no RESP type");
    }

    public static RedisProtocolException Streamed(RespType type) =>
        new($"a streamed {Name(type)} came: streamed RESP3 types are not supported");

    public static RedisProtocolException Count(RespType type, long number) =>
        new($"the length of {Name(type)} is {number}");

    public static RedisProtocolException TooLong(string what, long length, long limit) =>
        new($"a {what} of {length} is beyond the limit of {limit}");

    public static RedisProtocolException TooMany(long elements, long limit) =>
        new($"a reply of {elements} elements is beyond the limit of {limit}");

    public static RedisProtocolException TooDeep(int limit) =>
        new($"more than {limit} arrays, maps or sets lie in one another");

    public static RedisProtocolException MissingLineEnd(RespType type) => new($"{Name(type)} does not end with CR LF");

    public static RedisProtocolException Malformed(RespType type, ReadOnlySpan<byte> content) =>
        new($"{Name(type)} holds {Show(content)}");

    public static RedisProtocolException Verbatim() => new("a verbatim string lacks its format");

    /// <summary>The first bytes in quotes, what is not printable escaped.</summary>
    public static string Show(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder("\"");
        foreach (var one in bytes[..Math.Min(bytes.Length, ShownBytes)])
        {
            _ = one switch
            {
                (byte)'\r' => text.Append("\\r"),
                (byte)'\n' => text.Append("\\n"),
                >= 0x20 and < 0x7F => text.Append((char)one),
                _ => text.Append($"\\x{one:x2}"),
            };
        }

        return text.Append(bytes.Length > ShownBytes ? "…\"" : "\"").ToString();
    }

    private static string Name(RespType type) => type switch
    {
        RespType.SimpleString => "a simple string",
        RespType.Error => "an error",
        RespType.Integer => "an integer",
        RespType.BulkString => "a bulk string",
        RespType.Array => "an array",
        RespType.BigNumber => "a big number",
        RespType.BulkError => "a bulk error",
        RespType.VerbatimString => "a verbatim string",
        _ => $"a {type.ToString().ToLowerInvariant()}",
    };
}
