using RedisLatency.Redis.Resp;

namespace RedisLatency.Workloads.Commands;

/// <summary>Tells replies that a command can have from those that it cannot.</summary>
internal static class ReplyKind
{
    /// <summary>What the code of an error begins with that is no error reply, but a reply of the wrong kind.</summary>
    public const string WrongCode = "(wrong-kind:";

    // *-1, while an array of one null has seven bytes and more.
    private const int NullArrayLength = 5;

    public static ReplyKinds Of(in ScannedReply reply) => reply.Type switch
    {
        RespType.BulkString when reply.Nulls == 0 => ReplyKinds.BulkString,
        RespType.BulkString or RespType.Null => ReplyKinds.Null,
        RespType.SimpleString => ReplyKinds.SimpleString,
        RespType.Integer => ReplyKinds.Integer,
        RespType.Array when reply is { Nulls: 1, Length: NullArrayLength } => ReplyKinds.Null,
        RespType.Array => ReplyKinds.Array,
        _ => ReplyKinds.Other,
    };

    /// <summary>The same of an array that has not as many elements as its command asked for.</summary>
    public static ReadOnlySpan<byte> WrongLength =>
        "(wrong-kind:length) the array has another number of elements than the command asked for"u8;

    /// <summary>The text of the error that a reply of the wrong kind counts as; its first word is its code.</summary>
    public static ReadOnlySpan<byte> WrongText(ReplyKinds kind) => kind switch
    {
        ReplyKinds.SimpleString => "(wrong-kind:simple-string) the command cannot be answered by a simple string"u8,
        ReplyKinds.BulkString => "(wrong-kind:bulk-string) the command cannot be answered by a bulk string"u8,
        ReplyKinds.Null => "(wrong-kind:null) the command cannot be answered by a null"u8,
        ReplyKinds.Integer => "(wrong-kind:integer) the command cannot be answered by an integer"u8,
        ReplyKinds.Array => "(wrong-kind:array) the command cannot be answered by an array"u8,
        _ => "(wrong-kind:other) the command cannot be answered by what came"u8,
    };
}
