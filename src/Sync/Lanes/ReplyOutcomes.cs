using RedisLatency.Redis;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// Reads errors; <see cref="ErrorReply"/> knows the words of all, this file those of a synchronisation.
/// </summary>
internal static class ReplyOutcomes
{
    // That the key is not there, or not all of it.
    private static readonly string[] NotThere =
    [
        "ERR no such key", "ERR index out of range", "ERR The XGROUP subcommand requires the key to exist",
        "ERR could not decode requested zset member", "ERR The ID specified in XSETID is smaller", "NOGROUP ",
    ];

    /// <param name="error">Null where there is none.</param>
    public static ReplyOutcome Of(string? error) => error is null ? ReplyOutcome.Done : ErrorReply.KindOf(error) switch
    {
        ErrorKind.BusyKey => ReplyOutcome.BusyKey,
        ErrorKind.Moved => ReplyOutcome.Moved,
        ErrorKind.Ask => ReplyOutcome.Asking,
        ErrorKind.Passing or ErrorKind.ReadOnly => ReplyOutcome.TryLater,
        _ => ReplyOutcome.Refused,
    };

    /// <summary>Whether it is sent again, here or elsewhere.</summary>
    public static bool ComesAgain(string error) =>
        Of(error) is ReplyOutcome.Moved or ReplyOutcome.Asking or ReplyOutcome.TryLater;

    public static bool SaysNotThere(string error) => BeginsWithAny(error, NotThere);

    /// <summary>Whether it is of the payload of a RESTORE, which commands may do without.</summary>
    public static bool IsOfValue(string error) => BeginsWithAny(error, ["ERR"]);

    /// <summary>Whether a command that was sent twice may meet what a later one made of its key.</summary>
    public static bool IsOfType(string error) => BeginsWithAny(error, ["WRONGTYPE"]);

    /// <summary>What to do about it, behind the error; else empty.</summary>
    public static string RemedyFor(string error) =>
        BeginsWithAny(error, ["NOPERM"])
            ? $"; these rights are enough: {SyncRights.Target}, and for scripts {SyncRights.Scripts}"
        : BeginsWithAny(error, ["OOM"]) ? " Raise its maxmemory, or make room."
        : string.Empty;

    private static bool BeginsWithAny(string error, string[] words) =>
        words.Any(word => error.StartsWith(word, StringComparison.Ordinal));
}
