using System.Diagnostics.CodeAnalysis;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Resp;

/// <summary>Gives a reader the same bytes in every way in which a socket may deliver them.</summary>
internal static class RespFeeding
{
    /// <summary>Whole; in two pieces, cut at every byte; byte by byte.</summary>
    public static IEnumerable<int[]> Cuts(int length)
    {
        yield return [length];
        for (var i = 1; i < length; i++)
            yield return [i, length - i];
        yield return [.. Enumerable.Repeat(1, length)];
    }

    /// <summary>Takes the next whole reply as a tree of its own, which stays valid.</summary>
    public static bool TryReadValue(this RespReader reader, [NotNullWhen(true)] out RespValue? value)
    {
        value = reader.TryRead(out var reply) ? RespValue.From(ref reply) : null;
        return value is not null;
    }

    /// <summary>All replies that come out, as text.</summary>
    public static List<string> Read(byte[] bytes, int[] pieces, RespLimits? limits = null)
    {
        // A small buffer, so that it must move and grow.
        var reader = new RespReader(capacity: 0, limits);
        var values = new List<string>();
        var position = 0;
        foreach (var piece in pieces)
        {
            reader.Feed(bytes.AsSpan(position, piece));
            position += piece;
            while (reader.TryReadValue(out var value))
                values.Add($"{value.Type} {value}");
        }

        return values;
    }
}
