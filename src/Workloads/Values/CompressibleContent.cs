using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>
/// Values that become smaller by a ratio (1 to 30) when many are compressed together: random bytes, then one byte over
/// and over. The ratio is deflate's, within 5 % for values of at least 40 bytes times the ratio.
/// </summary>
internal sealed class CompressibleContent(double ratio) : IContent
{
    // What deflate (RFC 1951) makes of them, measured: about two bytes for each value's run, one more for each 258
    // repeated bytes (its longest match), and two in a thousand on random ones.
    private const double RunCost = 2;
    private const double MatchCost = 1.1 / 258;
    private const double RandomCost = 1.002;

    public bool IsConstant => false;

    public bool CanVerify => false;

    public void Fill(long key, RandomSource random, Span<byte> value)
    {
        var incompressible = RandomBytes(value.Length);
        random.Fill(value[..incompressible]);
        value[incompressible..].Fill((byte)'x');
    }

    public bool Verify(long key, ReadOnlySpan<byte> value) =>
        !value[RandomBytes(value.Length)..].ContainsAnyExcept((byte)'x');

    private int RandomBytes(int length)
    {
        if (ratio <= 1)
            return length;
        var wanted = ((length / ratio) - RunCost - (length * MatchCost)) / (RandomCost - MatchCost);
        return (int)Math.Clamp(Math.Round(wanted), 0, length);
    }
}
