using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>The values of one worker: how long they are and what is in them.</summary>
internal sealed class ValueSource
{
    private readonly LengthChooser _lengths;
    private readonly Content _content;
    private readonly ValueSize _size;

    public ValueSource(ValueSize size, ValueContent content)
    {
        _size = size;
        _lengths = size.Create();
        _content = content.Create(size.Maximum);
    }

    public int MaximumLength => _size.Maximum;

    public bool IsConstant => _size.IsConstant && _content.IsConstant;

    public bool CanVerify => _content.CanVerify;

    public int NextLength(RandomSource random) => _lengths.Next(random);

    public void Fill(long key, RandomSource random, Span<byte> value) => _content.Fill(key, random, value);

    /// <summary>Of a length that this writes and, where <see cref="CanVerify"/>, with the very bytes.</summary>
    public bool Verify(long key, ReadOnlySpan<byte> value) =>
        value.Length >= _size.Minimum && value.Length <= _size.Maximum && _content.Verify(key, value);
}
