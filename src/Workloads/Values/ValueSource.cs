using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

internal sealed class ValueSource(ValueSize size, ValueContent content, KeySpace? keys = null)
{
    private readonly LengthChooser _lengths = size.Create();
    private readonly Content _content = content.Create(size.Maximum);

    public int MaximumLength => size.Maximum;

    public bool IsConstant => size.IsConstant && _content.IsConstant;

    public bool CanVerify => _content.CanVerify;

    public int NextLength(long key, RandomSource random) =>
        size.IsByKey && keys is not null ? LengthAt(key, keys) : _lengths.Next(random);

    public void Fill(long key, RandomSource random, Span<byte> value) => _content.Fill(key, random, value);

    /// <summary>Of a length that this writes and, where <see cref="CanVerify"/>, with the very bytes.</summary>
    public bool Verify(long key, ReadOnlySpan<byte> value) =>
        value.Length >= size.Minimum && value.Length <= size.Maximum && _content.Verify(key, value);

    // What is inserted later is as long as the last one.
    private int LengthAt(long key, KeySpace all)
    {
        var place = Math.Clamp(key - all.First, 0, all.Count - 1);
        return size.Minimum
            + (int)((Int128)(size.Maximum - size.Minimum) * place / Math.Max(1, all.Count - 1));
    }
}
