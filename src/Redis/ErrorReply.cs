using System.Text;

namespace RedisLatency.Redis;

/// <summary>Reads what an error says by its first word: the one place that knows these words.</summary>
public static class ErrorReply
{
    extension(ErrorKind kind)
    {
        /// <summary>Whether the same server, or the one that takes its place, may carry it out later.</summary>
        public bool MayPass => kind is ErrorKind.Passing or ErrorKind.ReadOnly;

        /// <summary>Whether it names the server that is to be asked instead.</summary>
        public bool NamesServer => kind is ErrorKind.Moved or ErrorKind.Ask;
    }

    /// <summary>Reads an error; allocates nothing.</summary>
    /// <param name="error">As it came, without the leading minus: <c>LOADING Redis is loading…</c>.</param>
    public static ErrorKind KindOf(ReadOnlySpan<byte> error)
    {
        var space = error.IndexOf((byte)' ');
        var code = space < 0 ? error : error[..space];
        return code switch
        {
            _ when code.SequenceEqual("MOVED"u8) => ErrorKind.Moved,
            _ when code.SequenceEqual("ASK"u8) => ErrorKind.Ask,
            _ when code.SequenceEqual("READONLY"u8) => ErrorKind.ReadOnly,
            _ when code.SequenceEqual("NOSCRIPT"u8) => ErrorKind.NoScript,
            _ when code.SequenceEqual("BUSYKEY"u8) => ErrorKind.BusyKey,
            // Evictions and expiry end OOM, and the next snapshot that succeeds MISCONF.
            _ when code.SequenceEqual("LOADING"u8) || code.SequenceEqual("BUSY"u8) || code.SequenceEqual("TRYAGAIN"u8)
                || code.SequenceEqual("CLUSTERDOWN"u8) || code.SequenceEqual("MASTERDOWN"u8)
                || code.SequenceEqual("NOMASTERLINK"u8) || code.SequenceEqual("NOREPLICAS"u8)
                || code.SequenceEqual("UNBLOCKED"u8) || code.SequenceEqual("OOM"u8) || code.SequenceEqual("MISCONF"u8)
                => ErrorKind.Passing,
            _ => ErrorKind.Final,
        };
    }

    /// <inheritdoc cref="KindOf(ReadOnlySpan{byte})"/>
    public static ErrorKind KindOf(string error) => KindOf(Encoding.UTF8.GetBytes(error));
}
