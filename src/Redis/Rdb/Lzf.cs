namespace RedisLatency.Redis.Rdb;

/// <summary>
/// Decompresses LZF as lzf_d.c of Redis does: a control byte below 32 begins so many literals and one more, another
/// repeats what was up to 8 KiB before.
/// </summary>
internal static class Lzf
{
    /// <summary>How far back a repetition reaches.</summary>
    public const int Window = 8 << 10;

    private const int LongestRun = 264;
    private const int ShortestLongRun = 3;

    /// <param name="input">What it is read from.</param>
    /// <param name="compressed">Bytes there.</param>
    /// <param name="plain">Bytes that must come out.</param>
    /// <param name="target">Where to, behind what is in it.</param>
    /// <param name="whenLong">
    /// Called now and then; it may take out of the target what lies further back than <see cref="Window"/>.
    /// </param>
    public static void Decompress(
        RdbInput input, ulong compressed, ulong plain, ValueBuffer target, Action? whenLong = null)
    {
        if (plain > compressed / ShortestLongRun * LongestRun + LongestRun)
            throw input.Fault($"a compressed string of {compressed} bytes cannot hold {plain}");
        var end = input.Offset + (long)compressed;
        var (left, written) = (plain, 0UL);
        while (input.Offset < end)
        {
            int control = input.ReadByte();
            int length;
            if (control < 32)
            {
                length = control + 1;
                if ((ulong)length > left)
                    throw TooLong(input, plain);
                target.Append(input.Read(length));
            }
            else
            {
                length = (control >> 5) + 2;
                if (length == 9)
                    length += input.ReadByte();
                var distance = ((control & 31) << 8) + input.ReadByte() + 1;
                if ((ulong)length > left)
                    throw TooLong(input, plain);
                if ((ulong)distance > written)
                    throw input.Fault("a compressed string repeats what is not there");
                target.AppendFromBefore(distance, length);
            }

            left -= (ulong)length;
            written += (ulong)length;
            whenLong?.Invoke();
        }

        if (left != 0 || input.Offset != end)
            throw input.Fault($"a compressed string does not give the {plain} bytes that it announces");
    }

    private static RdbException TooLong(RdbInput input, ulong plain) =>
        input.Fault($"a compressed string gives more than the {plain} bytes that it announces");
}
