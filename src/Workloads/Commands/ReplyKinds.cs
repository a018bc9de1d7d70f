namespace RedisLatency.Workloads.Commands;

/// <summary>What the reply to a command can be; errors aside, which any command may have.</summary>
[Flags]
internal enum ReplyKinds
{
    None = 0,
    SimpleString = 1,
    BulkString = 2,
    Null = 4,
    Integer = 8,
    Array = 16,
    Other = 32,
}
