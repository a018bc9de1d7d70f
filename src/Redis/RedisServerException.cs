namespace RedisLatency.Redis;

/// <summary>The server answered with an error.</summary>
/// <param name="reply">The error as it came, without the leading minus: <c>WRONGPASS invalid username…</c>.</param>
/// <param name="explanation">The message, where the reply alone would not help the user.</param>
public sealed class RedisServerException(string reply, string? explanation = null)
    : RedisException(explanation ?? reply)
{
    /// <summary>The error as it came, without the leading minus.</summary>
    public string Reply { get; } = reply;

    /// <summary>Whether and where the request may be sent again.</summary>
    public ErrorKind Kind => ErrorReply.KindOf(Code);

    /// <summary>
    /// The error's first word, by which errors are counted: <c>ERR</c>, <c>NOAUTH</c>, <c>LOADING</c>.
    /// </summary>
    public string Code { get; } = reply.IndexOf(' ') is var end and >= 0 ? reply[..end] : reply;
}
