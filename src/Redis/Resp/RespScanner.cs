namespace RedisLatency.Redis.Resp;

/// <summary>
/// Finds the end of a reply. It remembers how far it came, so that a reply which arrives in many pieces is looked
/// at once, not once per piece.
/// </summary>
internal sealed class RespScanner(RespLimits limits)
{
    private long[] _remaining = new long[limits.MaxDepth + 1];
    private RespLimits _limits = limits;
    private int _depth = -1;
    private int _position;
    private long _elements;

    /// <summary>What is accepted from the next reply on.</summary>
    public RespLimits Limits
    {
        get => _limits;
        set
        {
            _limits = value;
            if (_remaining.Length <= value.MaxDepth)
                Array.Resize(ref _remaining, value.MaxDepth + 1);
        }
    }

    /// <summary>Where the first element begins that is not whole yet.</summary>
    public int Position => _position;

    /// <summary>
    /// Looks for the end of the reply that begins with the first byte; an attribute belongs to the reply. The bytes are
    /// all from there on: what an earlier call saw, and what came since.
    /// </summary>
    public bool TryFindEnd(ReadOnlySpan<byte> bytes, out int length)
    {
        if (_depth < 0)
        {
            _depth = 0;
            _remaining[0] = 1;
        }

        while (RespToken.TryRead(bytes, _position, _limits, out var token))
        {
            _position = token.End;
            // An attribute precedes the value it describes and is not one of its parent's elements.
            if (token.Type != RespType.Attribute)
                _remaining[_depth]--;
            if (token.Children > 0)
                Descend(token.Children);
            while (_remaining[_depth] == 0 && _depth > 0)
                _depth--;
            if (_remaining[_depth] == 0)
            {
                length = _position;
                Reset();
                return true;
            }
        }

        length = 0;
        return false;
    }

    public void Reset()
    {
        _depth = -1;
        _position = 0;
        _elements = 0;
    }

    private void Descend(long children)
    {
        if (_depth == _limits.MaxDepth)
            throw RespFault.TooDeep(_limits.MaxDepth);
        _elements += children;
        if (_elements > _limits.MaxElements)
            throw RespFault.TooMany(_elements, _limits.MaxElements);
        _remaining[++_depth] = children;
    }
}
