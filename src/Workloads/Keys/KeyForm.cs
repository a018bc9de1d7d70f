using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Keys;

/// <summary>How the index of a key becomes the key's bytes. Immutable: all threads may share one.</summary>
internal abstract class KeyForm
{
    /// <summary>The longest key it makes, in bytes.</summary>
    public abstract int MaximumLength { get; }

    /// <summary>Writes the key of an index.</summary>
    /// <param name="index">From 0 to <see cref="KeySpace.HighestIndex"/>.</param>
    /// <param name="destination">At least <see cref="MaximumLength"/> bytes.</param>
    /// <returns>How many bytes it took.</returns>
    public abstract int Write(long index, Span<byte> destination);

    /// <summary>Reads what a user wrote: the name of a form or a format with <c>{0}</c>.</summary>
    public static ValueReading<KeyForm> Read(string text) => KeyFormSyntax.Read(text);

    /// <summary>What is wrong with a text, or null.</summary>
    public static string? Problem(string text) => Read(text).Problem;

    /// <summary>The form of a text that has no <see cref="Problem"/>.</summary>
    /// <exception cref="FormatException">The text has a problem; the message says which.</exception>
    public static KeyForm Parse(string text) =>
        Read(text) is { Problem: null, Value: { } form } ? form
            : throw new FormatException($"{text}: {Problem(text)}");
}
