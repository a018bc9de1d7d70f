using System.Text;

namespace RedisLatency.Messaging.Sending;

/// <summary>An answer that was not what was sent.</summary>
/// <param name="Sent">The last count that had been sent.</param>
/// <param name="Received">What came, as far as it can be printed.</param>
public sealed record WrongAnswer(long Sent, string Received)
{
    private const int MaxLength = 40;

    internal static string Printable(ReadOnlySpan<byte> payload)
    {
        var text = new StringBuilder();
        foreach (var value in payload[..Math.Min(payload.Length, MaxLength)])
            text.Append(value is >= 0x20 and < 0x7f ? (char)value : '.');
        return payload.Length > MaxLength ? text.Append('…').ToString() : text.ToString();
    }
}
