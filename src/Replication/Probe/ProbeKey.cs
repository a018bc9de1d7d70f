using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace RedisLatency.Replication.Probe;

/// <summary>The names of a session's keys: prefix, session in hexadecimal, number. One thread at a time.</summary>
internal sealed class ProbeKey
{
    private const int MostDigits = 20;

    private readonly byte[] _name;
    private readonly int _fixed;

    public ProbeKey(string prefix, ulong session)
    {
        var begin = Encoding.ASCII.GetBytes(Begin(prefix, session));
        _fixed = begin.Length;
        _name = [.. begin, .. new byte[MostDigits]];
    }

    /// <summary>The name of a key; valid until the next one is asked for.</summary>
    public ReadOnlySpan<byte> Of(long sequence)
    {
        Utf8Formatter.TryFormat(sequence, _name.AsSpan(_fixed), out var digits);
        return _name.AsSpan(0, _fixed + digits);
    }

    /// <summary>The name of a session's key that is none of the measured.</summary>
    public static string First(string prefix, ulong session) => Begin(prefix, session) + "first";

    /// <summary>What all names of a session begin with.</summary>
    public static string Begin(string prefix, ulong session) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}:{session:x16}:");
}
