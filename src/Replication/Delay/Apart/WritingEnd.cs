using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace RedisLatency.Replication.Delay.Apart;

/// <summary>What a writer tells its reader at the end, in a key that is replicated after all others.</summary>
/// <param name="Asked">Keys that were due: numbers from this one on were never.</param>
/// <param name="Unsent">Of them those that were due while there was no connection.</param>
/// <param name="Refused">Those that the source refused.</param>
internal sealed record WritingEnd(long Asked, long Unsent, long Refused)
{
    /// <summary>The name of its key.</summary>
    public static string KeyOf(string prefix, ulong session) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}:{session:x16}:end");

    /// <summary>As the value of its key.</summary>
    public string Write() =>
        new JsonObject { ["asked"] = Asked, ["unsent"] = Unsent, ["refused"] = Refused }.ToJsonString();

    /// <summary>Reads one.</summary>
    /// <returns>Null where it is none.</returns>
    public static WritingEnd? Read(string? text)
    {
        try
        {
            return text is not null && JsonNode.Parse(text) is JsonObject told && told["asked"]?.GetValue<long>() is { } asked
                && told["unsent"]?.GetValue<long>() is { } unsent && told["refused"]?.GetValue<long>() is { } refused
                && asked >= 0 && unsent >= 0 && refused >= 0
                ? new WritingEnd(asked, unsent, refused)
                : null;
        }
        catch (Exception wrong) when (wrong is JsonException or FormatException or InvalidOperationException)
        {
            return null;
        }
    }
}
