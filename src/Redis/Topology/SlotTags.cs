using System.Text;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// A short tag for each slot: every key with <c>{tag}</c> in it belongs to that slot, so that commands of several keys
/// stay in one slot and probes reach a chosen shard.
/// </summary>
public static class SlotTags
{
    private const string Letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    private static readonly Lazy<byte[][]> Tags = new(FindAll);

    /// <summary>The tag of a slot, without braces: the shortest of letters and digits that belongs there.</summary>
    /// <param name="slot">From 0 to 16383.</param>
    public static string Of(int slot) => Encoding.ASCII.GetString(Bytes(slot));

    /// <summary>The same as bytes; does not allocate after the first call.</summary>
    public static ReadOnlySpan<byte> Bytes(int slot) => Tags.Value[slot];

    // All texts of one letter, then of two and so on, until no slot is without one.
    private static byte[][] FindAll()
    {
        var tags = new byte[KeySlot.Count][];
        var missing = tags.Length;
        for (var length = 1; missing > 0; length++)
        {
            var tag = Enumerable.Repeat((byte)Letters[0], length).ToArray();
            var digits = new int[length];
            do
            {
                var slot = KeySlot.Of(tag);
                if (tags[slot] is not null)
                    continue;
                tags[slot] = [.. tag];
                missing--;
            }
            while (missing > 0 && Advance(tag, digits));
        }

        return tags;
    }

    private static bool Advance(byte[] tag, int[] digits)
    {
        for (var i = digits.Length - 1; i >= 0; i--)
        {
            digits[i] = (digits[i] + 1) % Letters.Length;
            tag[i] = (byte)Letters[digits[i]];
            if (digits[i] != 0)
                return true;
        }

        return false;
    }
}
