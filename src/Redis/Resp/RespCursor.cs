namespace RedisLatency.Redis.Resp;

/// <summary>
/// Walks over one whole reply without allocating: its elements in the order in which they stand, attributes left
/// out. It points into the reader's buffer and is valid until the reader is used again.
/// </summary>
public ref struct RespCursor
{
    private readonly ReadOnlySpan<byte> _frame;
    private readonly RespLimits _limits;
    private RespToken _token;

    /// <param name="frame">A whole reply as <see cref="RespReader"/> has found it.</param>
    /// <param name="limits">The reader's limits.</param>
    public RespCursor(ReadOnlySpan<byte> frame, RespLimits limits)
    {
        _frame = frame;
        _limits = limits;
        MoveNext();
    }

    /// <summary>The element's type.</summary>
    public readonly RespType Type => _token.Type;

    /// <summary>
    /// An integer's value, a boolean's 0 or 1, how many elements an array, set or push has, how many pairs a map has.
    /// </summary>
    public readonly long Number => _token.Number;

    /// <summary>Whether it is a null of either protocol.</summary>
    public readonly bool IsNull => _token.IsNull;

    /// <summary>Whether it is a simple or a bulk error.</summary>
    public readonly bool IsError => Type is RespType.Error or RespType.BulkError;

    /// <summary>The bytes of a string, error or number.</summary>
    public readonly ReadOnlySpan<byte> Content => _frame.Slice(_token.ContentStart, _token.ContentLength);

    /// <summary>How many elements belong directly to this one.</summary>
    public readonly long Children => _token.Children;

    /// <summary>Goes on to the next element: an aggregate's first child, or what follows.</summary>
    /// <returns>False at the reply's end.</returns>
    public bool MoveNext()
    {
        while (RespToken.TryRead(_frame, _token.End, _limits, out _token))
        {
            if (_token.Type != RespType.Attribute)
                return true;
            SkipValues(_token.Children);
        }

        return false;
    }

    private void SkipValues(long count)
    {
        while (count > 0 && RespToken.TryRead(_frame, _token.End, _limits, out _token))
            count += _token.Children - (_token.Type == RespType.Attribute ? 0 : 1);
    }
}
