namespace RedisLatency.Redis.Commands;

/// <summary>A command's words, its name first, wherever they are kept.</summary>
public interface ICommandWords
{
    int Count { get; }

    ReadOnlySpan<byte> this[int word] { get; }
}
