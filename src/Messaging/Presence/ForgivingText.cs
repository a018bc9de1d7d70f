using System.Text.Json;

namespace RedisLatency.Messaging.Presence;

/// <summary>Reads texts of what anybody may have sent.</summary>
internal static class ForgivingText
{
    /// <summary>A text of an object; null where there is none, or a longer one than makes sense.</summary>
    public static string? Of(JsonElement element, string name, int longest) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var value)
        && value.ValueKind == JsonValueKind.String && value.GetString() is { } text && text.Length <= longest
            ? text
            : null;
}
