namespace RedisLatency.Workloads.Engine;

/// <summary>The bulk strings of a whole array, one after the other; nulls are left out. Nothing is allocated.</summary>
internal ref struct BulkStrings(ReadOnlySpan<byte> array)
{
    private ReadOnlySpan<byte> _rest = array[(array.IndexOf((byte)'\n') + 1)..];

    public ReadOnlySpan<byte> Current { get; private set; }

    public readonly BulkStrings GetEnumerator() => this;

    public bool MoveNext()
    {
        while (_rest.Length > 0)
        {
            var end = _rest.IndexOf((byte)'\n') + 1;
            var length = _rest[0] == '$' && _rest[1] != '-' ? LengthOf(_rest[1..(end - 2)]) : -1;
            if (length >= 0)
            {
                Current = _rest.Slice(end, length);
                _rest = _rest[(end + length + 2)..];
                return true;
            }

            _rest = _rest[end..];
        }

        return false;
    }

    private static int LengthOf(ReadOnlySpan<byte> digits)
    {
        var length = 0;
        foreach (var digit in digits)
            length = (length * 10) + digit - '0';
        return length;
    }
}
