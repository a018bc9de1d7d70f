using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace RedisLatency.Replication.Sides;

/// <summary>What a writer tells its reader at the end, in a key of its own.</summary>
/// <param name="Writers">
/// What each connection came to: the n-th one's keys are the n-th and every so many-th after.
/// </param>
/// <param name="NeverSent">Which keys were due and need not be looked for; not all where they are too many.</param>
internal sealed record WritingEnd(IReadOnlyList<WrittenKeys> Writers, IReadOnlyList<NeverSentKeys> NeverSent)
{
    /// <summary>The name of its key.</summary>
    public static string KeyOf(string prefix, ulong session) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}:{session:x16}:end");

    /// <summary>Whether a key was never due, or is known never to have been sent.</summary>
    public bool IsWithdrawn(long sequence)
    {
        var (ordinal, writer) = (sequence / Writers.Count, (int)(sequence % Writers.Count));
        if (ordinal >= Writers[writer].Asked)
            return true;
        for (var i = 0; i < NeverSent.Count; i++)
        {
            if (NeverSent[i].Contains(writer, ordinal))
                return true;
        }

        return false;
    }

    /// <summary>The connections that wrote to one shard of so many.</summary>
    public IEnumerable<WrittenKeys> Of(int shard, int shards) => Writers.Where((_, number) => number % shards == shard);

    /// <summary>As the value of its key.</summary>
    public string Write() => new JsonObject
    {
        ["writers"] = new JsonArray(
            [.. Writers.Select(writer => new JsonArray(writer.Asked, writer.Unsent, writer.Refused))]),
        ["neverSent"] = new JsonArray(
            [.. NeverSent.Select(keys => new JsonArray(keys.Writer, keys.First, keys.Count))]),
    }.ToJsonString();

    /// <summary>Reads one.</summary>
    /// <returns>Null where it is none, or not of so many connections.</returns>
    public static WritingEnd? Read(string? text, int writers)
    {
        try
        {
            if (text is null || JsonNode.Parse(text) is not JsonObject told)
                return null;
            var end = new WritingEnd(
                [.. told["writers"]!.AsArray().Select(writer => new WrittenKeys(
                    writer![0]!.GetValue<long>(), writer[1]!.GetValue<long>(), writer[2]!.GetValue<long>()))],
                [.. told["neverSent"]!.AsArray().Select(keys => new NeverSentKeys(
                    keys![0]!.GetValue<int>(), keys[1]!.GetValue<long>(), keys[2]!.GetValue<long>()))]);
            return end.Writers.Count == writers
                && end.Writers.All(writer => writer is { Asked: >= 0, Unsent: >= 0, Refused: >= 0 })
                    ? end
                    : null;
        }
        catch (Exception wrong) when (wrong is JsonException or FormatException or InvalidOperationException
            or NullReferenceException or ArgumentOutOfRangeException)
        {
            return null;
        }
    }
}

/// <summary>What a writer's connection came to.</summary>
/// <param name="Asked">Its keys that were due: the ones after them never were.</param>
/// <param name="Unsent">Of them those that were due while there was no connection.</param>
/// <param name="Refused">Those that the source refused.</param>
internal readonly record struct WrittenKeys(long Asked, long Unsent, long Refused);
