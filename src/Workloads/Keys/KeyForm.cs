using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Keys;

/// <summary>How the index of a key becomes the key's bytes. Immutable: all threads may share one.</summary>
internal abstract class KeyForm
{
    public abstract int MaximumLength { get; }

    public abstract int Write(long index, Span<byte> destination);

    public static ValueReading<KeyForm> Read(string text) => KeyFormSyntax.Read(text);

    public static string? Problem(string text) => Read(text).Problem;

    public static KeyForm Parse(string text) =>
        Read(text) is { Problem: null, Value: { } form } ? form
            : throw new FormatException($"{text}: {Problem(text)}");
}
