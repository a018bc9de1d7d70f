using System.Text.Json;

namespace RedisLatency.Reports.Values;

/// <summary>What is wrong with a text that should be JSON, for those who write one by hand.</summary>
public static class JsonErrors
{
    public static string Of(JsonException failure, ReadOnlySpan<byte> text) =>
        text.Trim(" \t\r\n"u8).IsEmpty ? "not valid JSON: it is empty; an object is needed, at least {}"
        : failure is { LineNumber: { } line, BytePositionInLine: { } place } ? FormattableString.Invariant(
            $"not valid JSON: line {line + 1}, byte {place + 1}; see whether a comma, quote or bracket is missing")
        : $"not valid JSON: {failure.Message}";
}
