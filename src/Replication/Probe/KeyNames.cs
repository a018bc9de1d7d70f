using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

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

internal sealed class HeartbeatKey
{
    private readonly byte[] _request;

    public HeartbeatKey(string prefix, ulong session)
    {
        (Name, Session) = (FormattableString.Invariant($"{prefix}:heartbeat:{session:x16}"), session);
        var request = new RespWriter();
        request.WriteRequest("GET", Name);
        _request = request.Written.ToArray();
    }

    public string Name { get; }
    public ulong Session { get; }

    public ReadOnlySpan<byte> Request => _request;
}
