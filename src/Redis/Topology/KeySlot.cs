using System.Text;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Which of a cluster's 16384 slots a key belongs to: CRC16 of the key, or of its <c>{tag}</c>, modulo 16384.
/// Source: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec ("Key distribution model",
/// "Hash tags", appendix A: CRC-16/XMODEM, polynomial 1021, initial value 0).
/// </summary>
public static class KeySlot
{
    /// <summary>How many slots every cluster has.</summary>
    public const int Count = 16384;

    private const ushort Polynomial = 0x1021;

    private static readonly ushort[] Table = CreateTable();

    /// <summary>The slot of a key, from 0 to 16383.</summary>
    public static int Of(ReadOnlySpan<byte> key) => Crc16(Hashed(key)) & (Count - 1);

    /// <summary>
    /// The part of a key that decides: what stands between the first <c>{</c> and the first <c>}</c> behind it, or the
    /// whole key where there is no such pair or nothing in it.
    /// </summary>
    public static ReadOnlySpan<byte> Hashed(ReadOnlySpan<byte> key)
    {
        var open = key.IndexOf((byte)'{');
        if (open < 0)
            return key;
        var behind = key[(open + 1)..];
        var length = behind.IndexOf((byte)'}');
        return length > 0 ? behind[..length] : key;
    }

    /// <summary>CRC-16/XMODEM: of <c>123456789</c> it is 0x31C3.</summary>
    public static ushort Crc16(ReadOnlySpan<byte> bytes)
    {
        var table = Table;
        var crc = 0;
        foreach (var one in bytes)
            crc = (crc << 8) ^ table[((crc >> 8) ^ one) & 0xFF];
        return (ushort)crc;
    }

    private static ushort[] CreateTable()
    {
        var table = new ushort[256];
        for (var i = 0; i < table.Length; i++)
        {
            var crc = i << 8;
            for (var bit = 0; bit < 8; bit++)
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ Polynomial : crc << 1;
            table[i] = (ushort)crc;
        }

        return table;
    }
}

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
