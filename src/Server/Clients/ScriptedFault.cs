using System.Text;

namespace RedisLatency.Server.Clients;

/// <summary>A fault at the how manieth reply or message, from 1, of one command or channel; null counts all.</summary>
internal sealed class ScriptedFault(FaultKind kind, int turn, string? subject)
{
    private readonly byte[]? _subject = subject is null ? null : Encoding.UTF8.GetBytes(subject);
    private int _left = turn;

    public FaultKind Kind { get; } = kind;

    public TimeSpan Delay { get; init; }

    /// <summary>Counts one; true at its turn.</summary>
    public bool IsDue(ReadOnlySpan<byte> subject) =>
        (_subject is null || Ascii.EqualsIgnoreCase(_subject, subject)) && --_left == 0;
}

internal enum FaultKind
{
    Corrupt,
    Drop,
    Delay,
    CloseAfter,
    Duplicate,
    Reorder,
}
