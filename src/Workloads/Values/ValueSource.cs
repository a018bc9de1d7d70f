using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

internal sealed class ValueSource(ValueSize size, ValueContent content)
{
    private readonly LengthChooser _lengths = size.Create();
    private readonly Content _content = content.Create(size.Maximum);

    public int MaximumLength => size.Maximum;

    public bool IsConstant => size.IsConstant && _content.IsConstant;

    public bool CanVerify => _content.CanVerify;

    public int NextLength(RandomSource random) => _lengths.Next(random);

    public void Fill(long key, RandomSource random, Span<byte> value) => _content.Fill(key, random, value);

    /// <summary>Of a length that this writes and, where <see cref="CanVerify"/>, with the very bytes.</summary>
    public bool Verify(long key, ReadOnlySpan<byte> value) =>
        value.Length >= size.Minimum && value.Length <= size.Maximum && _content.Verify(key, value);
}
