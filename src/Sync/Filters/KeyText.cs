using System.Text;
using RedisLatency.Reports.Output;

namespace RedisLatency.Sync.Filters;

/// <summary>A key as messages show it.</summary>
internal static class KeyText
{
    private const int Longest = 80;

    public static string Of(ReadOnlySpan<byte> key) => key.Length > Longest
        ? PlainText.Clean(Encoding.UTF8.GetString(key[..Longest])) + "…"
        : PlainText.Clean(Encoding.UTF8.GetString(key));
}
