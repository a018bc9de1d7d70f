using System.Text;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Errors counted by their first word, with an example of each. Nothing is allocated for one seen before. One thread
/// counts, others may read meanwhile.
/// </summary>
internal sealed class ErrorCounts
{
    private const int Capacity = 64;
    private const int LongestCode = 32;
    private const int LongestExample = 512;

    private readonly byte[][] _codes = new byte[Capacity][];
    private readonly string[] _names = new string[Capacity];
    private readonly string[] _examples = new string[Capacity];
    private readonly long[] _counts = new long[Capacity];
    private int _known;

    /// <param name="error">The error's text without the leading minus.</param>
    public void Count(ReadOnlySpan<byte> error)
    {
        var code = CodeOf(error);
        for (var index = 0; index < _known; index++)
        {
            if (_codes[index].AsSpan().SequenceEqual(code))
            {
                Volatile.Write(ref _counts[index], _counts[index] + 1);
                return;
            }
        }

        // A server that invents ever new codes must not take ever more memory: the last place is for all of them.
        if (_known == Capacity)
            Volatile.Write(ref _counts[Capacity - 1], _counts[Capacity - 1] + 1);
        else
            Learn(_known == Capacity - 1 ? "(other)"u8 : code, error);
    }

    public void AddTo(Dictionary<string, long> counts, Dictionary<string, string> examples)
    {
        var known = Volatile.Read(ref _known);
        for (var index = 0; index < known; index++)
        {
            var name = _names[index];
            counts[name] = counts.GetValueOrDefault(name) + Volatile.Read(ref _counts[index]);
            examples.TryAdd(name, _examples[index]);
        }
    }

    public static ReadOnlySpan<byte> CodeOf(ReadOnlySpan<byte> error)
    {
        var end = error.IndexOf((byte)' ');
        var code = end < 0 ? error : error[..end];
        return code.Length > LongestCode ? code[..LongestCode] : code;
    }

    private void Learn(ReadOnlySpan<byte> code, ReadOnlySpan<byte> error)
    {
        _codes[_known] = code.ToArray();
        _names[_known] = code.IsEmpty ? "(none)" : Encoding.UTF8.GetString(code);
        _examples[_known] = Encoding.UTF8.GetString(error[..Math.Min(error.Length, LongestExample)]);
        _counts[_known] = 1;
        Volatile.Write(ref _known, _known + 1);
    }
}
