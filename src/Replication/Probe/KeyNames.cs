using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace RedisLatency.Replication.Probe;

/// <summary>The names of a session's keys: prefix, session in hexadecimal, number. One thread at a time.</summary>
internal sealed class KeyNames
{
    private const int MostDigits = 20;

    private readonly byte[] _name;
    private readonly int _fixed;

    public KeyNames(string prefix, ulong session)
    {
        var begin = Encoding.ASCII.GetBytes(Begin(prefix, session));
        _fixed = begin.Length;
        _name = [.. begin, .. new byte[MostDigits]];
    }

    public ReadOnlySpan<byte> Of(long sequence)
    {
        Utf8Formatter.TryFormat(sequence, _name.AsSpan(_fixed), out var digits);
        return _name.AsSpan(0, _fixed + digits);
    }

    public static string First(string prefix, ulong session) => Begin(prefix, session) + "first";

    public static string Begin(string prefix, ulong session) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}:{session:x16}:");
}
