using System.Buffers.Text;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// What a cluster's error says, read without allocating. It points into the error's bytes. Source: the cluster spec,
/// "Redirection and resharding", and <c>clusterRedirectClient</c> of Redis 7.0 (<c>cluster.c</c>).
/// </summary>
public readonly ref struct Redirection
{
    private Redirection(RedirectionKind kind, int slot, ReadOnlySpan<byte> host, int port)
    {
        Kind = kind;
        Slot = slot;
        Host = host;
        Port = port;
    }

    /// <summary>What is asked for.</summary>
    public RedirectionKind Kind { get; }

    /// <summary>Whether it names the server that is to be asked instead: MOVED and ASK.</summary>
    public bool NamesServer => Kind is RedirectionKind.Moved or RedirectionKind.Ask;

    /// <summary>The slot, of <see cref="RedirectionKind.Moved"/> and <see cref="RedirectionKind.Ask"/>.</summary>
    public int Slot { get; }

    /// <summary>
    /// The other node's name or address, of the same two; empty where it is the host of the node that was asked.
    /// </summary>
    public ReadOnlySpan<byte> Host { get; }

    /// <summary>The other node's port, of the same two.</summary>
    public int Port { get; }

    /// <summary>Reads an error.</summary>
    /// <param name="error">
    /// As <see cref="Resp.RespCursor.Content"/> has it, without the leading minus: <c>MOVED 3999 127.0.0.1:6381</c>.
    /// </param>
    /// <param name="redirection">What it says.</param>
    /// <returns>False where it is none of the cluster's, or a redirection without a slot and a place.</returns>
    public static bool TryParse(ReadOnlySpan<byte> error, out Redirection redirection)
    {
        redirection = default;
        var space = error.IndexOf((byte)' ');
        var code = space < 0 ? error : error[..space];
        var kind = KindOf(code);
        if (kind is RedirectionKind.Moved or RedirectionKind.Ask)
            return space >= 0 && TryParsePlace(kind, error[(space + 1)..], out redirection);
        redirection = new Redirection(kind, 0, [], 0);
        return kind != RedirectionKind.None;
    }

    private static RedirectionKind KindOf(ReadOnlySpan<byte> code) => code switch
    {
        _ when code.SequenceEqual("MOVED"u8) => RedirectionKind.Moved,
        _ when code.SequenceEqual("ASK"u8) => RedirectionKind.Ask,
        _ when code.SequenceEqual("TRYAGAIN"u8) => RedirectionKind.TryAgain,
        _ when code.SequenceEqual("CLUSTERDOWN"u8) => RedirectionKind.ClusterDown,
        _ when code.SequenceEqual("CROSSSLOT"u8) => RedirectionKind.CrossSlot,
        _ => RedirectionKind.None,
    };

    private static bool TryParsePlace(RedirectionKind kind, ReadOnlySpan<byte> text, out Redirection redirection)
    {
        redirection = default;
        var space = text.IndexOf((byte)' ');
        if (space < 0 || !TryParseNumber(text[..space], KeySlot.Count - 1, out var slot))
            return false;
        var place = text[(space + 1)..];
        // An IPv6 address stands without brackets: only the last colon is the port's.
        var colon = place.LastIndexOf((byte)':');
        if (colon < 0 || !TryParseNumber(place[(colon + 1)..], ushort.MaxValue, out var port) || port == 0)
            return false;
        var host = place[..colon];
        if (host.Contains((byte)' '))
            return false;
        redirection = new Redirection(kind, slot, ClusterHost.IsKnown(host) ? host : [], port);
        return true;
    }

    private static bool TryParseNumber(ReadOnlySpan<byte> digits, int most, out int number) =>
        Utf8Parser.TryParse(digits, out number, out var read) && read == digits.Length && digits[0] is >= (byte)'0'
        and <= (byte)'9' && number <= most;
}
