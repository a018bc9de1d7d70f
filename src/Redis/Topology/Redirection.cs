using System.Buffers.Text;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Where MOVED or ASK leads, read without allocating. It points into the error's bytes. Source: the cluster spec,
/// "Redirection and resharding", and <c>clusterRedirectClient</c> of Redis 7.0 (<c>cluster.c</c>).
/// </summary>
public readonly ref struct Redirection
{
    private Redirection(ErrorKind kind, int slot, ReadOnlySpan<byte> host, int port)
    {
        Kind = kind;
        Slot = slot;
        Host = host;
        Port = port;
    }

    /// <summary>Which of the two.</summary>
    public ErrorKind Kind { get; }

    /// <summary>The slot.</summary>
    public int Slot { get; }

    /// <summary>
    /// The other node's name or address; empty where it is the host of the node that was asked.
    /// </summary>
    public ReadOnlySpan<byte> Host { get; }

    /// <summary>The other node's port.</summary>
    public int Port { get; }

    /// <summary>Reads an error.</summary>
    /// <param name="error">
    /// As <see cref="Resp.RespCursor.Content"/> has it, without the leading minus: <c>MOVED 3999 127.0.0.1:6381</c>.
    /// </param>
    /// <param name="redirection">What it says.</param>
    /// <returns>False where it is neither of them, or has no slot and no server.</returns>
    public static bool TryParse(ReadOnlySpan<byte> error, out Redirection redirection)
    {
        redirection = default;
        var kind = ErrorReply.KindOf(error);
        if (!kind.NamesServer || error.IndexOf((byte)' ') is not (>= 0 and var end))
            return false;
        var text = error[(end + 1)..];
        var space = text.IndexOf((byte)' ');
        if (space < 0 || !TryParseNumber(text[..space], KeySlot.Count - 1, out var slot))
            return false;
        var target = text[(space + 1)..];
        // An IPv6 address stands without brackets: only the last colon is the port's.
        var colon = target.LastIndexOf((byte)':');
        if (colon < 0 || !TryParseNumber(target[(colon + 1)..], ushort.MaxValue, out var port) || port == 0)
            return false;
        var host = target[..colon];
        if (host.Contains((byte)' '))
            return false;
        redirection = new Redirection(kind, slot, ClusterHost.IsKnown(host) ? host : [], port);
        return true;
    }

    private static bool TryParseNumber(ReadOnlySpan<byte> digits, int most, out int number) =>
        Utf8Parser.TryParse(digits, out number, out var read) && read == digits.Length && digits[0] is >= (byte)'0'
        and <= (byte)'9' && number <= most;
}
