namespace RedisLatency.Workloads.Commands;

/// <summary>A scan of strings: one MGET of 1 to the longest neighbouring keys, equally likely, as YCSB's.</summary>
internal static class KeyRun
{
    private const int KeyOverhead = 16;
    private const int CommandOverhead = 32;

    public static void Write(RequestBuffer buffer, CommandInputs inputs, long first, int longest)
    {
        // The upper half of a product: no division, and no bias that matters below 2^32 keys.
        var count = 1 + (int)(((inputs.NextRandom() >> 32) * (ulong)longest) >> 32);
        var space = buffer.GetSpace(CommandOverhead + (count * (inputs.MaximumKeyLength + KeyOverhead)));
        var position = ArgumentHeader.Write(space, (byte)'*', count + 1);
        "$4\r\nMGET\r\n"u8.CopyTo(space[position..]);
        position += 10;
        Span<byte> key = stackalloc byte[Math.Min(inputs.MaximumKeyLength, 1024)];
        for (var index = 0; index < count; index++)
        {
            var length = inputs.WriteKey(first + index, key);
            position += ArgumentHeader.Write(space[position..], (byte)'$', length);
            key[..length].CopyTo(space[position..]);
            position += length;
            "\r\n"u8.CopyTo(space[position..]);
            position += 2;
        }

        buffer.Advance(position);
    }
}
