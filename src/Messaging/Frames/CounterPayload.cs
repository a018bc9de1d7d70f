using System.Buffers.Text;

namespace RedisLatency.Messaging.Frames;

/// <summary>
/// A plain decimal count as the whole message, which a consumer written by anyone in any language sends back as it is.
/// </summary>
internal static class CounterPayload
{
    public const int MaxLength = 19;

    public static int Write(Span<byte> target, long count)
    {
        Utf8Formatter.TryFormat(count, target, out var written);
        return written;
    }

    /// <summary>Reads a count: digits as they are written, without leading zeros, and nothing else.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out long count)
    {
        count = 0;
        return payload.Length is > 0 and <= MaxLength
            && (payload[0] != '0' || payload.Length == 1)
            && payload.IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0
            && Utf8Parser.TryParse(payload, out count, out var consumed) && consumed == payload.Length;
    }
}
