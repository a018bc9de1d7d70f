using System.Text;

namespace RedisLatency.Workloads.Engine;

/// <summary>Allocates nothing for one seen before. One thread counts, others may read meanwhile.</summary>
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

/// <summary>What an error reply says by its first word.</summary>
internal static class ErrorCode
{
    /// <summary>The codes of RedisException.IsTransient, and OOM, which evictions and expiry end.</summary>
    public static bool MayPass(ReadOnlySpan<byte> error) =>
        Is(error, "LOADING"u8) || Is(error, "BUSY"u8) || Is(error, "TRYAGAIN"u8) || Is(error, "CLUSTERDOWN"u8)
        || Is(error, "MASTERDOWN"u8) || Is(error, "NOREPLICAS"u8) || Is(error, "READONLY"u8)
        || Is(error, "UNBLOCKED"u8) || Is(error, "OOM"u8);

    private static bool Is(ReadOnlySpan<byte> error, ReadOnlySpan<byte> code) =>
        error.StartsWith(code) && (error.Length == code.Length || error[code.Length] == ' ');
}

internal enum ErrorPolicy
{
    Count,

    /// <summary>The run stops; what is in flight is still awaited.</summary>
    Stop,

    /// <summary>Again, with the same key, where the error may pass (LOADING, BUSY, …); the last one counts.</summary>
    Retry,
}
